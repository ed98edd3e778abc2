/* server.c -- runs many checks of one program: it is compiled and read once, and each check is made
 * in a copy of this process (fork). fuzz/server.py uses it.
 *
 * usage: server FILE PROPERTIES [NAME=VALUE ...]
 *
 * PROPERTIES: empty for the default ones.
 * Then each line of standard input is one check: options as NAME=VALUE, separated by tabs. `json`
 * names the file for the result; `interim=N`: the process ends when it has written N interim
 * conditions, one at each moment at which that is possible. Prints the exit status of each check on a
 * line: that of proviso_check, 40 if it ended so, or 70 if it died otherwise. Options that change
 * how a program is read must be given at the start. */
#include "proviso_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLED = 40 }; /* an exit status of no other meaning */

/* The program stays loaded, which proviso_set does not promise. */
static proviso_status set(proviso *p, const char *word) {
  const char *equals = strchr(word, '=');
  char name[64];
  if (!equals || (size_t)(equals - word) >= sizeof name) return PROVISO_BAD_INPUT;
  memcpy(name, word, (size_t)(equals - word));
  name[equals - word] = 0;
  return pv_options_set(&p->options, name, equals + 1, &p->error) == PV_OK ? PROVISO_OK
                                                                         : PROVISO_BAD_INPUT;
}

static int check(proviso *p, char *line) {
  char *rest = NULL;
  char json[1024] = "";
  proviso_status status = PROVISO_OK;
  for (char *word = strtok_r(line, "\t\n", &rest); word && !status; word = strtok_r(NULL, "\t\n", &rest)) {
    if (!strncmp(word, "json=", 5))
      snprintf(json, sizeof json, "%s", word + 5);
    else if (!strncmp(word, "interim=", 8))
      p->most_interim = (unsigned)strtoul(word + 8, NULL, 10), p->interim_status = KILLED;
    else
      status = set(p, word);
  }
  if (!status && pv_options_check(&p->options, &p->error) != PV_OK) status = PROVISO_BAD_INPUT;
  if (!status) status = proviso_check(p);
  if (!status) status = proviso_write_condition(p);
  if (status) return fprintf(stderr, "%s\n", proviso_error(p)), status;
  FILE *out = fopen(json, "w");
  if (!out) return PROVISO_BAD_INPUT;
  fputs(proviso_json(p), out);
  return fclose(out) ? PROVISO_INTERNAL : PROVISO_OK;
}

int main(int argc, char **argv) {
  static char line[1 << 16];
  if (argc < 3) return PROVISO_BAD_INPUT;
  proviso *p = proviso_new();
  proviso_status status = proviso_add_file(p, argv[1]);
  if (!status && *argv[2]) status = proviso_set(p, "property", argv[2]);
  for (int i = 3; i < argc && !status; i++) status = set(p, argv[i]);
  if (!status) status = proviso_load(p);
  if (status) return fprintf(stderr, "%s\n", proviso_error(p)), status;
  while (fgets(line, sizeof line, stdin)) {
    int how;
    pid_t child = fork();
    if (child == 0) {
      how = check(p, line);
      fflush(NULL);
      _exit(how);
    }
    if (child < 0 || waitpid(child, &how, 0) != child) return PROVISO_INTERNAL;
    printf("%d\n", WIFEXITED(how) ? WEXITSTATUS(how) : PROVISO_INTERNAL);
    fflush(stdout);
  }
  proviso_free(p);
  return 0;
}
