// A comparison function that contradicts itself (C11, 7.22.5): some libraries then run out of the
// array. bsearch wants a sorted array.
// expect: false(def-behavior)
// message: no order
// run: -- -DSEARCH => false(def-behavior)
// run: -- -DFIXED => true
// run: -- -DFIXED -DSEARCH => true
#include <assert.h>
#include <stdlib.h>

static int order(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
#if defined FIXED || defined SEARCH
  return (x > y) - (x < y);
#else
  return x > y;
#endif
}
int main(void) {
  int a[] = {3, 1, 2, 2}, key = 3;
#if !defined SEARCH || defined FIXED
  qsort(a, 4, sizeof *a, order);
  assert(a[0] == 1 && a[3] == 3);
#endif
#ifdef SEARCH
  int *found = bsearch(&key, a, 4, sizeof *a, order);
  assert(!found || *found == key);
#endif
  return key - 3;
}
