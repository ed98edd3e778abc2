// Twin of stdin_numbers.c.
// expect: true or conditional
// args: --engine explicit
#include <stdio.h>

int main(void) {
  int a, b;
  if (scanf("%d %d", &a, &b) != 2 || a > 100 || a < 0 || b <= 7 || b > 100) return 1;
  printf("%d\n", a / (b - 7));
  return 0;
}
