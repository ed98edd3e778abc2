// Commands of one letter: three of them in the right order lead below the line. Twin: text_commands.c.
// args: --engine explicit
// expect: conditional
#include <stdio.h>

static char text[8];

int main(void) {
  int length = 0, cursor = 0, c;
  while ((c = getchar()) != EOF) {
    if (c == 'i' && length < 8) text[cursor++] = 'x', length++;
    if (c == 'l' && cursor > 0) cursor--;
    if (c == 'd' && cursor > 0) text[--cursor] = 0, length--;
    if (cursor > length) cursor = length;
  }
  return text[0];
}
