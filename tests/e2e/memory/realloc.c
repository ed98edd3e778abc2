// realloc keeps the contents and moves or not; the old pointer is not used again.
// expect: true
// states: 1
// run: --property valid-memcleanup => true states=1
// run: --engine predicate => true
// run: --engine composite => true
// run: --engine predicate -- -DBUG => false(valid-deref)
// run: --engine composite -- -DBUG => false(valid-deref)
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof *p);
  if (!p) return 0;
  p[0] = 1;
  p[1] = 2;
  int *q = realloc(p, 4 * sizeof *q);
  if (!q) {
    free(p);
    return 0;
  }
  q[2] = 3;
#ifdef BUG
  q[1] = p[1];
#endif
  assert(q[0] == 1 && q[1] == 2 && q[2] == 3);
  free(q);
}
