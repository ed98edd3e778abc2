// A line is read into a buffer that it may not fit. Twin: stdin_getchar_bounded.c.
// expect: false(def-behavior)
#include <stdio.h>

int main(void) {
  char line[32];
  int c, n = 0;
  while ((c = getchar()) != '\n' && c != EOF) line[n++] = (char)c;
  line[n] = 0;
  puts(line);
  return 0;
}
