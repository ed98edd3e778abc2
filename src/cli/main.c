#include "cli/cli.h"

#include "base/options.h"
#include "proviso.h"

#include <stdio.h>
#include <string.h>

static int unknown_command(const char *word) {
  enum { MOST = 32 };
  const char *names[MOST];
  size_t n = pv_command_count < MOST ? pv_command_count : MOST;
  for (size_t i = 0; i < n; i++) names[i] = pv_commands[i].name;
  const char *nearest = pv_nearest(word, names, n);
  if (strchr(word, '.'))
    fprintf(stderr, "proviso: unknown command `%s`; did you mean `proviso check %s`?\n", word,
            word);
  else if (nearest)
    fprintf(stderr, "proviso: unknown command `%s`; did you mean `%s`?\n", word, nearest);
  else
    fprintf(stderr, "proviso: unknown command `%s`; see `proviso help`\n", word);
  return PV_EXIT_INPUT;
}

static const struct pv_command *find(const char *name) {
  for (size_t i = 0; i < pv_command_count; i++)
    if (!strcmp(pv_commands[i].name, name)) return &pv_commands[i];
  return NULL;
}

static int help(int argc, char **argv) {
  const struct pv_command *command = argc > 0 ? find(argv[0]) : NULL;
  if (argc > 0 && !command) return unknown_command(argv[0]);
  if (command)
    pv_cli_help_for(command);
  else
    pv_cli_help();
  return pv_cli_print("", 0);
}

/* Is --help among the words before "--"? */
static int asks_for_help(int argc, char **argv) {
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return 1;
  return 0;
}

int main(int argc, char **argv) {
  pv_limits_catch_signals();
  if (argc < 2) {
    fputs("proviso: no command; see `proviso help`\n", stderr);
    return PV_EXIT_INPUT;
  }
  const char *word = argv[1];
  if (!strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h"))
    return help(argc - 2, argv + 2);
  if (!strcmp(word, "--version")) {
    printf("proviso %s\n", proviso_version());
    return pv_cli_print("", 0);
  }
  const struct pv_command *command = find(word);
  if (!command) return unknown_command(word);
  if (asks_for_help(argc - 2, argv + 2)) return help(1, argv + 1);
  return command->run(command, argc - 2, argv + 2);
}
