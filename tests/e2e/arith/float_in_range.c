// A random number is scaled with floats. Whatever it is, the result fits into the integer: engines that do not follow
// floats find that out from the bounds of its operands.
//
// expect: true
// run: --engine predicate => true
// run: --engine kinduction => true
// run: --engine predicate -- -DNARROW => true
// run: --engine predicate -- -DQUOTIENT => conditional
// run: -- -DQUOTIENT -DBUG=1 => false(def-behavior)
// run: -- -DBUG=1 => false(def-behavior)
// run: -- -DBUG=2 => false(def-behavior)
// run: -- -DBUG=3 => false(def-behavior)
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#ifndef BUG
#define BUG 0
#endif
int main(void) {
  int drawn = __VERIFIER_nondet_int();
#ifdef NARROW
  float scaled = -(float)drawn * 0.25f + 3.0f;
  int n = (int)scaled;
#elif defined QUOTIENT
  double scaled = 1.0 / (drawn + (BUG ? 0 : 0.5)); /* the divisor may be near 0 */
  int n = (int)(scaled * (BUG ? 1.0 : 1.0e3));
#elif BUG == 1
  int n = (int)(2.0 * drawn);
#elif BUG == 2
  unsigned n = (unsigned)(drawn / 2.0);
#elif BUG == 3
  double scaled = 1.0;
  if (drawn == 3) scaled = 1.0e10; /* set twice */
  int n = (int)(scaled * 2.0);
#else
  int n = 1 + (int)(19.0 * drawn / RAND_MAX);
#endif
  return n != 0;
}
