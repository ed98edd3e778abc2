// Twin of getline.c: the line is never freed.
// args: --file a.txt=tests/e2e/files/data/lines.txt --property valid-memtrack
// expect: false(valid-memtrack)
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
  char *line = NULL;
  size_t room = 0;
  FILE *f = fopen("a.txt", "r");
  if (getline(&line, &room, f) < 0) return 1;
  line = NULL;
  fclose(f);
  return 0;
}
