// Twin of numbers.c.
// args: --engine explicit
// expect: conditional
// run: --file numbers.txt=tests/e2e/files/data/numbers.txt => true
#include <stdio.h>

int main(void) {
  int a, b;
  FILE *f = fopen("numbers.txt", "r");
  if (!f) return 1;
  if (fscanf(f, "%d %d", &a, &b) != 2 || a > 100 || a < 0 || b > 100 || b <= 0) return 1;
  fclose(f);
  printf("%d\n", a / b);
  return 0;
}
