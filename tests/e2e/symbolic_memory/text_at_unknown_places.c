// Characters are stored at a place that depends on all earlier ones: a term with exponentially many paths, each of whose
// parts is examined once. And two numbers in one format.
//
// expect: true
// args: --engine bmc --integers bitvector --property valid-deref,def-behavior
// run: --engine bmc --integers bitvector --property valid-deref -- -DSHORT => false(valid-deref)
// run: --engine bmc --integers bitvector --property valid-deref,def-behavior -- -DFORMAT => true
// run: --engine bmc --integers bitvector --property valid-deref -- -DFORMAT -DSHORT => false(valid-deref)
#include <stdio.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int put(char *to, int at, int c) {
  to[at] = (char)c;
  return at + 1;
}

#define DIGIT(POWER) \
  if (n >= POWER) at = put(text, at, (char)('0' + n / POWER % 10))

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
#ifdef SHORT
  enum { SIZE = 10 };
#else
  enum { SIZE = 11 };
#endif
#ifdef FORMAT
  char two[4 + SIZE];
  sprintf(two, "%d, %u", (int)(n % 100), n);
#else
  char text[SIZE];
  int at = 0;
  DIGIT(1000000000);
  DIGIT(100000000);
  DIGIT(10000000);
  DIGIT(1000000);
  DIGIT(100000);
  DIGIT(10000);
  DIGIT(1000);
  DIGIT(100);
  DIGIT(10);
  at = put(text, at, (char)('0' + n % 10));
  text[at] = 0;
#endif
  return 0;
}
