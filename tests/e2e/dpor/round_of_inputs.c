// A loop that an input ends comes back to where it was: one round is enough (the search did not end once).
// expect: true
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => true executions=1
// run: --engine dpor --dpor classic --property unreach-call => true
// run: --engine dpor --dependence conflict --property unreach-call => true
// run: --por none --property unreach-call => true
// run: --engine dpor --property unreach-call -- -DBUGGY => false(unreach-call)
// run: --engine dpor --dependence conflict --property unreach-call -- -DBUGGY => false(unreach-call)
// executions: 1
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int ended;

static void *waits(void *arg) {
  while (__VERIFIER_nondet_bool());
  ended = 1;
  return arg;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, waits, 0);
#ifdef BUGGY
  assert(!ended);
#endif
  pthread_join(one, 0);
  assert(ended);
  while (__VERIFIER_nondet_bool());
  return 0;
}
