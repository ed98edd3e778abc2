// A stream is used after it was closed. Twin: missing_checked.c.
// expect: false(valid-deref)
// message: freed memory (stream opened at closed_used.c:7)
#include <stdio.h>

int main(void) {
  FILE *f = fopen("x.txt", "r");
  if (!f) return 1;
  fclose(f);
  return fgetc(f) == 'a';
}
