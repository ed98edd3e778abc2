// A constant expression that overflows: it is an error where it is evaluated. The compiler would
// fold it.
// expect: false(no-overflow)
// run: --property unreach-call --engine explicit => true states=1
// run: --property no-overflow => false(no-overflow)
// run: --engine bmc => false(no-overflow)
// run: --engine kinduction => false(no-overflow)
// run: --engine value => false(no-overflow)
// run: -- -DCHOSEN=0 => true states=1
// run: --engine composite -- -DCHOSEN=0 => true
// run: -- -DSTATIC => conditional states=1
// run: -- -DPRODUCT -DCHOSEN=1 => false(no-overflow)
#ifndef CHOSEN
#define CHOSEN 1
#endif
int chosen = CHOSEN;
int main(void) {
#ifdef STATIC
  static long x = 2147483647 + 1; /* not evaluated at run time */
#elif defined PRODUCT
  int x = 0;
  if (chosen) x = -(65536 * 32768);
#else
  long x = 0;
  if (chosen) x = 2147483647 + 1;
#endif
  return x > 0;
}
