// A block of variable size, filled by index and read at any index. Twin: heap_variable_index_bug.c.
// args: --engine composite
// expect: true
// run: --engine composite --integers bitvector => true
// run: --engine predicate => true
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
  if (n > 1000 || i > n) return 0;
  int *a = malloc((n + 1) * sizeof *a);
  a[n] = 1;
  a[i] = 2;
  return 0;
}
