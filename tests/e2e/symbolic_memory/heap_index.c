// An index into an allocated block, of constant and of variable size; and a block that grows.
// run: --engine bmc --property unreach-call,valid-deref => true
// run: --engine bmc --integers bitvector => true
// run: --engine bmc -- -DBUG => false(valid-deref)
// run: --engine bmc --integers bitvector -- -DSHORT => false(valid-deref)
// run: --engine bmc --integers bitvector -- -DUNSET => false(def-behavior)
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned char *p = malloc(1000);
  unsigned i = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
#ifdef BUG
  if (i > 1000 || n == 0 || n > 5) return 0;
#else
  if (i >= 1000 || n == 0 || n > 5) return 0;
#endif
  p[i] = 1;
  short *q = malloc(n * sizeof *q);
  for (unsigned k = 0; k < n; k++) q[k] = (short)k;
#ifdef SHORT
  q = realloc(q, 6 * sizeof *q);
  q[n + 1] = 9;
#else
  q = realloc(q, (n + 1) * sizeof *q);
  q[n] = 9;
#endif
#ifdef UNSET
  p[i] = 0;
  if (p[i / 2]) q[0] = 1;
#endif
  assert(q[n - 1] == (short)(n - 1) && p[i] < 2);
  return 0;
}
