// Allocated memory is indeterminate until it is set.
// run: --engine bmc => true
// run: --engine predicate => true
// run: --engine bmc -- -DBUG => false(def-behavior)
// run: --engine predicate -- -DBUG => false(def-behavior)
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key, rest; };
int main(void) {
  struct node *n = malloc(sizeof *n);
  n->key = __VERIFIER_nondet_int();
#ifdef BUG
  int key = n->rest;
#else
  int key = n->key;
#endif
  free(n);
  return key > 3 ? 1 : 0;
}
