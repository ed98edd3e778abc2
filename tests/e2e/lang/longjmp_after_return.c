// The function that called setjmp has returned: there is nothing to jump into, even where another call of
// it stands at the same place.
// expect: false(def-behavior)
// message: longjmp into set, which has ended
// run: --engine dpor => false(def-behavior)
// run: -- -DSTAY => true
// run: -- -DAGAIN => false(def-behavior)
// run: -- -DUNSET => false(def-behavior)
#include <setjmp.h>

static jmp_buf buffer, other;

static int set(int again) {
#ifndef UNSET
  if (again == 0 && setjmp(buffer) != 0) return 1;
#endif
#ifdef STAY
  longjmp(buffer, 1);
#endif
#ifdef AGAIN
  if (again && setjmp(other) == 0) longjmp(buffer, 1);
#endif
  return 0;
}

int main(void) {
  if (set(0)) return 0;
  set(1);
  longjmp(buffer, 1);
}
