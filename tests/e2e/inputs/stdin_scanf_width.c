// Twin of stdin_scanf_word.c.
// args: --engine explicit
// expect: conditional
#include <stdio.h>

int main(void) {
  char word[17];
  if (scanf("%16s", word) != 1) return 1;
  puts(word);
  return 0;
}
