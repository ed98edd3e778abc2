/* A loop with a bound that is an input, and predicates about the parameter and the local variable. With BUG it goes one too
 * far; without `positive` (FEW) refinement finds what is missing. */
#include "proviso_predicate.h"

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int count_to(int limit) {
  PROVISO_PREDICATE("most", i <= limit)
  PROVISO_PREDICATE("below", i < limit)
  PROVISO_PREDICATE("positive", limit > 0)
  int i = 0;
  if (limit <= 0) return 0;
  while (i < limit) i++;
#ifdef BUG
  i++;
#endif
  if (i != limit) reach_error();
  return i;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  return count_to(n) < 0;
}
