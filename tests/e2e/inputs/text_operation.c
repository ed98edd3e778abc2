// Three arguments, a number, an operator, a number; the last may be 0. Twin: text_operation_right.c.
// args: --engine explicit
// expect: false(def-behavior)
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 4 || argv[2][0] != '/' || argv[2][1]) return 1;
  long left = atoi(argv[1]), right = atoi(argv[3]);
  if (1) printf("%ld\n", left / right);
  return 0;
}
