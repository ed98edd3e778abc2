// A thread's path ends under a proviso, at a statement that no assertion depends on. In other orders it does not end there, and the error behind it
// is reached: what decides whether it ends is then in the slice (it was lost once).
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence predicate --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call)
// run: --engine explicit --por none --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DLARGE => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DDEEP => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => conditional
// run: --engine dpor --property unreach-call -- -DFIX -DLARGE => conditional
// run: --engine dpor --property unreach-call -- -DFIX -DDEEP => conditional
// run: --engine explicit --por none --property unreach-call -- -DFIX => conditional
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int stage, begun, size, quotient;

#ifdef DEEP
static void goes_down(void) {
  if (!size) goes_down();
}
#endif

static void *goes_on(void *arg) {
  stage = 1;
#if defined LARGE
  free(malloc(size ? 1 : 1L << 40));
#elif defined DEEP
  goes_down();
#else
  quotient = 6 / size;
#endif
  stage = 2;
  return arg;
}

static void *sets(void *arg) {
  begun = 1;
  size = 1;
  return arg;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, goes_on, 0);
  pthread_create(&other, 0, sets, 0);
#ifdef FIX
  assert(stage != 2 || begun);
#else
  assert(stage != 2);
#endif
  return 0;
}
