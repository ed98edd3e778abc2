// Twin of stdin_getchar.c.
// args: --engine explicit
// expect: conditional
#include <stdio.h>

int main(void) {
  char line[32];
  int c, n = 0;
  while ((c = getchar()) != '\n' && c != EOF)
    if (n < (int)sizeof line - 1) line[n++] = (char)c;
  line[n] = 0;
  puts(line);
  return 0;
}
