// Blocks of variable length, at variable places.
// run: --engine bmc => true
// run: --engine bmc --integers bitvector => true
// run: --engine bmc --32 --integers bitvector => true
// run: --engine predicate => true
// run: --engine bmc -- -DBUG => false(unreach-call)
// run: --engine bmc --integers bitvector -- -DBUG => false(unreach-call)
// run: --engine bmc --integers bitvector -- -DOUTSIDE => false(valid-deref)
// run: --engine predicate -- -DOUTSIDE => false(valid-deref)
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int from[4] = {1, 2, 3, 4}, to[4] = {0};
  unsigned n = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
#ifdef OUTSIDE
  if (n > 4 || at > 1) return 0;
#else
  if (n > 3 || at > 1) return 0;
#endif
  memcpy(to + at, from, n * sizeof(int));
  for (unsigned i = 0; i < 4; i++) {
#ifdef BUG
    assert(to[i] == (i < n ? (int)i + 1 : 0));
#else
    assert(to[i] == (i >= at && i < at + n ? (int)(i - at) + 1 : 0));
#endif
  }
  return 0;
}
