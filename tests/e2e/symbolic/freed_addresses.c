// An address comes back only from an allocation after the free: pointers that are compared before need no proviso.
// expect: true
// args: --engine bmc
// proof: none
// run: --engine bmc -- -DBUG => false(valid-free)
// run: --engine bmc -- -DAGAIN => conditional
// run: --engine bmc -- -DOTHER_PATH => true
// run: -- -DAGAIN => true
// run: --engine composite => true
// run: --engine composite -- -DBUG => false(valid-free)
// run: --engine composite -- -DAGAIN => conditional
// run: --engine predicate -- -DAGAIN => conditional
// run: --engine composite -- -DOTHER_PATH => true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  int *p = __VERIFIER_nondet_int() ? a : b;
#ifdef OTHER_PATH
  if (__VERIFIER_nondet_int())
    free(a);
  else
    free(malloc(sizeof *a)), free(a);
#else
  free(a);
#endif
  if (p != a) free(b);
#ifdef BUG
  else free(p);
#endif
#ifdef AGAIN
  int *c = malloc(sizeof *c);
  *c = 1;
  free(c);
#endif
  return 0;
}
