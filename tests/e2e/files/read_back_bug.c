// Twin of read_back.c: the file is truncated when it is opened again.
// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *f = fopen("out.txt", "w");
  if (!f) return 1;
  fputs("text", f);
  fclose(f);
  f = fopen("out.txt", "w+");
  assert(f);
  assert(fgetc(f) == 't');
  return 0;
}
