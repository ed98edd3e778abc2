// A heap object turns out to be too large for cells, so bmc begins anew with an array for it. Nothing that the first attempt
// found impossible counts in the second one.
// run: --engine bmc => true
// run: --engine bmc -- -DBUG => false(unreach-call)
// run: --engine bmc --integers bitvector => true
// run: --engine bmc --integers bitvector -- -DBUG => false(unreach-call)
#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int small[4] = {0, 1, 2, 3};
  unsigned i = __VERIFIER_nondet_uchar(), k = __VERIFIER_nondet_uchar() % 4, n = __VERIFIER_nondet_uchar();
  assert(small[k] == (int)k);
  small[k] = 5;
  assert(small[k] == 5);
  char *p = malloc(n + 200u);
  if (!p) return 0;
  if (i < n + 200u) p[i] = 1;
  if (i < n + 200u) assert(p[i] == 1);
  for (unsigned j = 0; j < 3; j++) {
    p[j + 100] = (char)j;
    assert(p[j + 100] == (char)j);
  }
#ifdef BUG
  assert(k != 3 || i != 7);
#endif
  free(p);
}
