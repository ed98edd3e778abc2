// Comparisons and conversions of floats, decided together with bytes and arrays by one SAT solver.
// run: --engine bmc --integers bitvector => true
// run: --engine bmc --integers bitvector -- -DWRONG => false(unreach-call)
// run: --engine bmc --integers bitvector -- -DCAST => false(def-behavior)
// run: --engine bmc --integers bitvector --32 => true
#include <assert.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char bytes[4];
  float f;
  for (int i = 0; i < 4; i++) bytes[i] = __VERIFIER_nondet_uchar();
  memcpy(&f, bytes, 4);
  double d = f;
#ifdef CAST /* a float may be NaN, or too large */
  int whole = (int)d;
#else
  int whole = d > -1e6 && d < 1e6 ? (int)d : 0;
#endif
  assert(whole > -1000000 && whole < 1000000);
#ifdef WRONG
  assert(whole < 5);
#endif
  return 0;
}
