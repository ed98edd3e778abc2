// memcmp, strlen, strcpy and memset on free bytes.
// run: --engine bmc --integers bitvector => true
// run: --engine bmc => true
// run: --engine bmc --integers bitvector -- -DBUG => false(valid-deref)
// run: --engine bmc --integers bitvector -- -DUNSET => false(def-behavior)
#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char a[4], b[4];
  for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_char();
#ifndef BUG
  a[3] = 0;
#else
  a[3] = 'x';
#endif
#ifndef UNSET
  memset(b, 'y', sizeof b);
#endif
  size_t n = strlen(a);
#ifdef UNSET
  memcpy(b, a, n);
#else
  strcpy(b, a);
#endif
  assert(memcmp(a, b, n + 1) == 0);
  return 0;
}
