// A flexible array member, and bit-fields beside it. (The padding has room for one more byte.)
// run: --engine bmc --integers bitvector => true
// run: --engine bmc --integers bitvector -- -DBUG => false(valid-deref)
// run: --engine bmc --integers bitvector -- -DUNSET => false(def-behavior)
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct text { unsigned short length : 5, kind : 3; unsigned char byte[]; };
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  if (n > 4) return 0;
  struct text *t = malloc(sizeof *t + n);
  t->length = n;
#ifndef UNSET
  t->kind = 3;
#endif
#ifdef BUG
  for (int i = 0; i <= t->length + 1; i++) t->byte[i] = (unsigned char)i;
#else
  for (int i = 0; i < t->length; i++) t->byte[i] = (unsigned char)i;
#endif
  assert(t->kind == 3 && t->length == n);
  if (n > 2) assert(t->byte[2] == 2);
  free(t);
  return 0;
}
