// Blocks on the heap, of two possible lengths and between objects of different types, in engines that do not tell
// allocations of a site apart: the memory is one array of bytes.
// expect: true
// args: --engine predicate
// run: --engine composite => true
// run: --engine predicate -- -DBUG=1 => false(unreach-call)
// run: --engine composite -- -DBUG=1 => false(unreach-call)
// run: --engine predicate -- -DBUG=2 => false(valid-deref)
// run: --engine composite -- -DBUG=2 => false(valid-deref)
// run: --engine predicate -- -DBUG=3 => false(valid-deref)
// run: --engine composite -- -DBUG=3 => false(valid-deref)
// run: --engine predicate -- -DBUG=4 => false(def-behavior)
// run: --engine composite -- -DBUG=4 => false(def-behavior)
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifndef BUG
#define BUG 0
#endif
extern int __VERIFIER_nondet_int(void);
struct pair {
  short a, b;
};

int main(void) {
  struct pair from = {1, 2};
  int longer = __VERIFIER_nondet_int() != 0;
  size_t n = longer ? 4 : 2;
  struct pair *to = malloc(sizeof *to + (BUG != 2));
  char *other = malloc(BUG == 3 ? 3 : 4);
  to->b = 7;
  memcpy((char *)to + (BUG == 2 ? 1 : 0), &from, n);
  assert(to->b == (longer ? 2 : 7));
  memset(other, 1, 2);
  memcpy(other, to, n);
  assert(other[0] == (BUG == 1 && longer ? 2 : 1));
  assert(longer || other[BUG == 4 ? 3 : 1] == 0);
  free(to);
  free(other);
}
