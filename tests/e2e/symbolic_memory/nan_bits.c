// A NaN keeps its bits through copies; engines whose floats have a single NaN do not know which bits it has.
// run: --engine bmc --integers bitvector => conditional
// run: --engine bmc --integers bitvector -- -DWRONG => false(unreach-call)
// run: --engine kinduction --integers bitvector -- -DWRONG => false(unreach-call)
// run: --engine predicate --integers bitvector -- -DWRONG => false(unreach-call)
// run: --engine bmc --integers bitvector -- -DEXPONENT => true
// run: --engine bmc --integers bitvector -- -DEXPONENT -DWRONG => false(unreach-call)
// run: --engine explicit => true
// run: --engine explicit -- -DWRONG => false(unreach-call)
#include <assert.h>
#include <stdint.h>

union number {
  double value;
  uint64_t bits;
};

int main(void) {
  union number a, b;
  a.bits = UINT64_C(0x7ff8000000000001);
  double d = a.value;
  b.value = d;
#ifdef EXPONENT
  assert((b.bits >> 52 & 0x7ff) == 0x7ff);
#else
  assert(b.bits != UINT64_C(0x7ff8000000000000));
#endif
#ifdef WRONG
  assert(b.bits == UINT64_C(0x7ff8000000000000));
#endif
  return 0;
}
