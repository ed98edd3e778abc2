// What is not volatile and has changed between setjmp and longjmp is indeterminate.
// expect: false(def-behavior)
// message: result
// run: --engine dpor => false(def-behavior)
// run: -- -DVOLATILE=volatile => true
// run: -- -DARRAY => false(def-behavior)
// run: -- -DARRAY -DVOLATILE=volatile => true
// run: --engine dpor -- -DVOLATILE=volatile => true
#include <assert.h>
#include <setjmp.h>
#ifndef VOLATILE
#define VOLATILE
#endif

static jmp_buf buffer;
static void fail(void) { longjmp(buffer, 1); }

#ifdef ARRAY
int main(void) {
  VOLATILE int counts[3] = {0};
  VOLATILE int unset;
  if (setjmp(buffer) == 0) {
    unset = 0;
    VOLATILE int *p = counts;
    p[1] = 2;
    fail();
  }
  return counts[1] + unset - 2;
}
#else
int main(void) {
  VOLATILE int result = 1;
  if (setjmp(buffer) == 0) {
    result = 2;
    fail();
  }
  assert(result == 2);
  return 0;
}
#endif
