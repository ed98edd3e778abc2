// The second of two numbers is divided by. Twin: stdin_numbers_right.c.
// args: --engine explicit
// expect: false(def-behavior)
#include <stdio.h>

int main(void) {
  int a, b;
  if (scanf("%d %d", &a, &b) != 2 || a > 100 || a < 0 || b > 100 || b < 0) return 1;
  printf("%d\n", a / (b - 7));
  return 0;
}
