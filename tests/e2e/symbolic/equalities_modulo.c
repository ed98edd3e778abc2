// Equalities between bit-vectors hold modulo a power of two: here 2 * i == sum + 2, whatever overflows.
// run: --property unreach-call --engine kinduction --integers bitvector => true
// run: --property unreach-call --engine bmc --integers bitvector -- -DWRONG => false(unreach-call)
// run: --property unreach-call => true
// run: --property unreach-call -- -DWRONG => false(unreach-call)
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), sum = 0;
  for (unsigned i = 1; i <= n; i++) {
#ifdef WRONG
    if (i == 5) sum++;
#endif
    sum += 2;
  }
  assert(sum == 2 * n || sum == 0);
  return 0;
}
