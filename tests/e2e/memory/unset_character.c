// A character that is put out by itself is used: an indeterminate one is an error. To format it into memory is a copy.
//
// expect: true
// states: 1
// run: --engine bmc => true
// run: -- -DBUG=1 => false(def-behavior)
// run: -- -DBUG=2 => false(def-behavior)
// run: -- -DBUG=3 => false(def-behavior)
// run: -- -DBUG=4 => false(def-behavior)
// run: -- -DBUG=5 => false(def-behavior)
// run: --property unreach-call -- -DBUG=1 => true
// run: --engine bmc -- -DBUG=1 => false(def-behavior)
#include <stdio.h>

int main(void) {
  char c, d, text[8];
  c = 'a';
  printf("%c%3c", c, c);
  putchar(c);
  putc(c, stderr);
  sprintf(text, "%c", d);
#if BUG == 1
  printf("%c", d);
#elif BUG == 2
  printf("%3c", d);
#elif BUG == 3
  putchar(d);
#elif BUG == 4
  fputc(d, stdout);
#elif BUG == 5
  return text[0] == 'b';
#endif
  return 0;
}
