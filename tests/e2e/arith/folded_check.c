// A pointer far beyond its array may be computed and compared. The compiler folds its check of the bounds to a constant; the
// program goes on behind it. An access there is an error.
// expect: false(unreach-call)
// states: 1
// run: --property unreach-call => false(unreach-call) states=1
// run: -- -DREAD => false(def-behavior) states=1
#include <assert.h>

int main(void) {
  int a[2];
  int *end = a + 7;
  int steps = 0;
#ifdef READ
  steps = a[7];
#endif
  for (int *p = a; p < end; p++) steps++;
  assert(steps != 7);
  return 0;
}
