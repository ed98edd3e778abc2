// A char that may be negative is given to ctype.h: the macros of glibc read a table before its
// start, the functions may do anything.
// expect: false(def-behavior)
// message: neither EOF nor the value of an unsigned char
// run: --engine dpor => false(def-behavior)
// run: -- -DFUNCTION => false(def-behavior)
// run: -- -DCHANGE => false(def-behavior)
// run: -- -DFIXED => true
// run: -- -DFIXED -DFUNCTION => true
// run: -- -DFIXED -DCHANGE => true
#include <ctype.h>
#include <stdio.h>
#ifdef FUNCTION
#undef isspace
#endif
#ifdef CHANGE
#define isspace(c) (tolower(c) == ' ')
#endif
#ifdef FIXED
typedef unsigned char character;
#else
typedef char character;
#endif
extern char __VERIFIER_nondet_char(void);

static int skip(const char *p) {
  int n = 0;
  while (isspace((character)p[n])) n++;
  return n + (isspace(EOF) != 0);
}
int main(void) {
  char s[3] = {0};
  s[0] = __VERIFIER_nondet_char();
  return skip(s) > 2;
}
