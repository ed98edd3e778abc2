// sprintf whose destination is one of its arguments, or its format (C11, 7.21.6.6).
// expect: false(def-behavior)
// message: in main, property def-behavior
// run: -- -DCASE=2 => false(def-behavior)
// run: -- -DCASE=3 => false(def-behavior)
// run: -- -DCASE=4 => false(def-behavior)
// run: -- -DCASE=5 => true
// run: -- -DCASE=6 => true
// run: -- -DCASE=7 => true
// run: --engine dpor => false(def-behavior)
#include <stdio.h>
#include <string.h>
#ifndef CASE
#define CASE 1
#endif
int main(void) {
  char b[32] = "abc", c[32] = "abc";
  switch (CASE) {
  case 1: sprintf(b, "(%s) %d", b, 63); break;
  case 2: snprintf(b, sizeof b, "%s,%s", b, "x"); break;
  case 3: snprintf(b, sizeof b, "%d %s", 12, b + 2); break; /* written over before it is read */
  case 4: sprintf(b, b); break;
  case 5: sprintf(b + 4, "(%s) %d", b, 63); break; /* behind it, in the same array */
  case 6: snprintf(b, 3, "%.3s", b + 8); break;
  case 7: sprintf(b, "(%s) %d", c, 63); break;
  }
  return 0;
}
