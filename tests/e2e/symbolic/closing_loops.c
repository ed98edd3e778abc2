// Loops that bmc unwinds to different bounds: the inner one is closed at first (its only round in the first
// round of the outer one), and needs more iterations each time the outer one gets further.
// expect: true
// args: --engine bmc --property unreach-call
// run: --engine bmc --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine bmc --property unreach-call --integers bitvector => true
// run: --engine bmc --property unreach-call --integers bitvector --bit-solver z3 => true
// run: --engine bmc --property unreach-call --integers bitvector -- -DBUG => false(unreach-call)
// run: --engine bmc --property unreach-call --unwind 3 => conditional
// run: --engine bmc --property unreach-call --unwind 3 -- -DBUG => conditional
// run: --engine bmc --property unreach-call --unwind 6 => true
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  if (n < 0 || n > 5) return 0;
  for (int i = 1; i <= n; i++) {
    int k = i;
    if (__VERIFIER_nondet_int()) k--;
    while (k > 0) {
      sum++;
      k--;
    }
  }
#ifdef BUG
  assert(sum < 15);
#else
  assert(sum <= 15);
#endif
}
