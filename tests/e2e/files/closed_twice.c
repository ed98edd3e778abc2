// A stream is closed twice where it is empty. Twin: missing_checked.c.
// expect: false(valid-free)
// message: fclose of a stream that is already closed (stream opened at closed_twice.c:8)
// run: --engine dpor => false(valid-free)
#include <stdio.h>

int main(void) {
  FILE *f = fopen("x.txt", "r");
  if (!f) return 1;
  if (fgetc(f) == EOF) fclose(f);
  fclose(f);
  return 0;
}
