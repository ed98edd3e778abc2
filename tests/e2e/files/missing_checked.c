// Twin of missing.c. One byte is tried with every value: that is exact.
// expect: true
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *f = fopen("x.txt", "r");
  if (!f) return 1;
  int c = fgetc(f);
  assert(c >= EOF && c < 256);
  fclose(f);
  return c == 'a';
}
