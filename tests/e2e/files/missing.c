// The file may be missing. Twin: missing_checked.c.
// expect: false(valid-deref)
// message: through a null pointer
// run: --file x.txt=tests/e2e/files/data/lines.txt => true
#include <stdio.h>

int main(void) {
  FILE *f = fopen("x.txt", "r");
  int c = fgetc(f);
  fclose(f);
  return c == 'a';
}
