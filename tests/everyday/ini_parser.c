// Reads key=value lines with sections from a text and looks a key up.
// bug: none
// expect: true
// args: a=b "size = 3"
// stdin:
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX = 3, LENGTH = 12 };
struct entry {
  char key[LENGTH], value[LENGTH];
};
struct config {
  struct entry entries[MAX];
  int n;
};

static char *trim(char *s) {
  while (isspace((unsigned char)*s))
    s++;
  size_t n = strlen(s);
  while (n > 0 && isspace((unsigned char)s[n - 1]))
    n--;
  s[n] = '\0';
  return s;
}

static int add_line(struct config *c, char *line) {
  char *text = trim(line);
  if (*text == '\0' || *text == '#')
    return 1;
  char *equals = strchr(text, '=');
  if (!equals)
    return 0;
  *equals = '\0';
  const char *key = trim(text), *value = trim(equals + 1);
  if (c->n == MAX || strlen(key) >= LENGTH || strlen(value) >= LENGTH)
    return 0;
  strcpy(c->entries[c->n].key, key);
  strcpy(c->entries[c->n].value, value);
  c->n++;
  return 1;
}

static const char *get(const struct config *c, const char *key) {
  for (int i = 0; i < c->n; i++)
    if (strcmp(c->entries[i].key, key) == 0)
      return c->entries[i].value;
  return NULL;
}

int main(int argc, char **argv) {
  struct config c = {.n = 0};
  char first[] = "# example", second[] = " name = box ";
  if (!add_line(&c, first) || !add_line(&c, second))
    return 1;
  for (int i = 1; i < argc; i++)
    if (!add_line(&c, argv[i])) {
      fprintf(stderr, "cannot take line %d\n", i);
      return 1;
    }
  const char *name = get(&c, "name");
  printf("%s\n", name ? name : "?");
  return 0;
}
