// A pointer far beyond its array is undefined, but where only assertions are asked for the program
// goes on with it, even though the compiler knows that the check fails.
// expect: false(def-behavior)
// states: 1
// run: --property unreach-call => false(unreach-call) states=1
#include <assert.h>

int main(void) {
  int a[2];
  int *end = a + 7;
  int steps = 0;
  for (int *p = a; p < end; p++) steps++;
  assert(steps != 7);
  return 0;
}
