// memmove of overlapping ranges; memcpy must not be used for them.
// run: --engine bmc --integers bitvector => true
// run: --engine bmc => true
// run: --engine bmc --integers bitvector -- -DBUG => false(def-behavior)
// run: --engine bmc -- -DBUG => false(def-behavior)
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned char b[6] = {1, 2, 3, 4, 5, 6};
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 4) return 0;
#ifdef BUG
  memcpy(b + 2, b, n);
#else
  memmove(b + 2, b, n);
#endif
  assert(b[2] == (n ? 1 : 3) && b[5] == (n > 3 ? 4 : 6));
  return 0;
}
