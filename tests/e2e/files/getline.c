// getline and getdelim of a file; the buffer is the program's. Twin: getline_bug.c.
// args: --file a.txt=tests/e2e/files/data/lines.txt --property valid-memtrack,unreach-call,valid-deref
// expect: true
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *line = NULL;
  size_t room = 0;
  FILE *f = fopen("a.txt", "r");
  assert(getline(&line, &room, f) == 8 && !strcmp(line, "one two\n"));
  assert(getdelim(&line, &room, ' ', f) == 6 && !strcmp(line, "three "));
  assert(getline(&line, &room, f) == 10 && getline(&line, &room, f) == -1 && feof(f));
  free(line);
  fclose(f);
  return 0;
}
