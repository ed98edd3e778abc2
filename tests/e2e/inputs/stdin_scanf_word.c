// scanf of a word without a width. Twin: stdin_scanf_width.c.
// expect: false(valid-deref)
#include <stdio.h>

int main(void) {
  char word[16];
  if (scanf("%s", word) != 1) return 1;
  puts(word);
  return 0;
}
