// Brackets, as deep as the stack is, and one more. Twin: text_nested_right.c.
// args: --engine explicit
// expect: false(def-behavior)
#include <stdio.h>

int main(void) {
  char stack[8];
  int n = 0, c;
  while ((c = getchar()) != EOF) {
    if ((c == '[' || c == '(') && n <= 8) stack[n++] = (char)c;
    if ((c == ']' || c == ')') && n > 0) n--;
  }
  return n != 0;
}
