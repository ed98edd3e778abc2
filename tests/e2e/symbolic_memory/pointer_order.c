// The order of two pointers into one object is known to all engines; that of pointers into different objects is a proviso.
// run: --engine bmc => true
// run: --engine bmc -- -DWRONG => false(unreach-call)
// run: --engine bmc -- -DTWO => conditional
// run: --engine bmc --integers bitvector => true
// run: --engine bmc --integers bitvector -- -DHEAP => true
// run: --engine bmc -- -DHEAP -DWRONG => false(unreach-call)
// run: --engine bmc -- -DHEAP -DFREED => conditional or false(valid-deref)
// run: --engine kinduction => true
// run: --engine kinduction -- -DTWO => conditional
// run: --engine value => true
// run: --engine value -- -DTWO => conditional
// run: --engine predicate => true
// run: --engine predicate -- -DWRONG => false(unreach-call)
#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char buffer[4], other[4];

int main(void) {
#ifdef HEAP
  unsigned char *base = malloc(4);
#else
  unsigned char *base = buffer;
#endif
  for (int i = 0; i < 4; i++) base[i] = __VERIFIER_nondet_uchar();
  const unsigned char *p = base, *end = base + 4;
#ifdef TWO
  if (__VERIFIER_nondet_uchar()) end = other;
  return p < end;
#endif
#ifdef FREED
  free(base);
#endif
  unsigned n = 0;
  while (p < end && *p != 7) {
    p++;
    n++;
  }
#ifdef WRONG
  assert(n < 4);
#else
  assert(n <= 4);
#endif
  return 0;
}
