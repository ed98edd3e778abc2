// Reads settings from a file and prints one of them.
// bug: none
// expect: true
// args:
// stdin:
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
  char *key, *value;
};

static char *copy(const char *s) {
  char *c = malloc(strlen(s) + 1);
  if (c)
    strcpy(c, s);
  return c;
}

static int read_setting(FILE *f, struct setting *s) {
  char line[16];
  s->key = s->value = NULL;
  if (!fgets(line, sizeof line, f))
    return 0;
  line[strcspn(line, "\n")] = '\0';
  char *equals = strchr(line, '=');
  if (!equals)
    return 0;
  *equals = '\0';
  s->key = copy(line);
  s->value = copy(equals + 1);
  if (!s->key || !s->value) {
    free(s->key);
    free(s->value);
    s->key = s->value = NULL;
    return 0;
  }
  return 1;
}

int main(void) {
  struct setting s;
  FILE *f = fopen("settings.conf", "r");
  if (!f) {
    perror("settings.conf");
    return 1;
  }
  int found = read_setting(f, &s);
  fclose(f);
  if (found && strcmp(s.key, "colour") == 0)
    printf("%s\n", s.value);
  free(s.key);
  free(s.value);
  return !found;
}
