// Splits a path into folder, name and extension.
// bug: def-behavior: without a dot the extension is not set
// expect: false(def-behavior)
// args: a/b.c
// stdin:
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct path {
  char *folder, *name;
  const char *extension;
};

static char *part(const char *from, size_t n) {
  char *p = malloc(n + 1);
  if (!p)
    exit(3);
  memcpy(p, from, n);
  p[n] = '\0';
  return p;
}

static struct path split(const char *text) {
  struct path p;
  const char *slash = strrchr(text, '/');
  p.folder = slash ? part(text, (size_t)(slash - text)) : part("", 0);
  text = slash ? slash + 1 : text;
  p.name = part(text, strlen(text));
  char *dot = strrchr(p.name, '.');
  if (dot && dot != p.name) {
    *dot = '\0';
    p.extension = dot + 1;
  }
  return p;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct path p = split(argv[i]);
    printf("%s | %s | %s\n", p.folder, p.name, p.extension);
    free(p.folder);
    free(p.name);
  }
  return 0;
}
