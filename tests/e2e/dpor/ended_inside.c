// A false assumption, exit or abort in an atomic section ends the execution at once; what others could have done before
// must not be lost, nor what that changes of what the section read.
//
// expect: false(unreach-call)
// executions: 0
// args: --engine dpor
// run: --engine dpor --dpor source => false(unreach-call) executions=0
// run: --engine dpor --dpor classic --dependence conflict --peek 0 --prune 0 => false(unreach-call) executions=0
// run: --engine dpor --dependence predicate => false(unreach-call) executions=0
// run: --engine dpor --preemptions 2 => false(unreach-call) executions=0
// run: --engine dpor -- -DEXIT => false(unreach-call) executions=0
// run: --engine dpor -- -DABORT => false(unreach-call) executions=0
// run: --engine dpor --preemptions 2 -- -DEXIT => false(unreach-call) executions=0
// run: --engine dpor -- -DFIX => true executions=1
// run: --engine dpor --dpor classic --dependence conflict --peek 0 --prune 0 -- -DFIX => true executions=1
// run: --engine dpor -- -DFIX -DEXIT => true executions=1
// run: --engine explicit --por none -- -DFIX => true states=12
// run: --engine explicit --por none -- -DFIX -DEXIT => true states=12
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static atomic_int flag, passed;

static void wait_for_flag(void) {
  __VERIFIER_atomic_begin();
  passed = 1; /* taken back where the path ends here */
#ifdef EXIT
  if (flag == 0) exit(0);
#elif defined ABORT
  if (flag == 0) abort();
#else
  __VERIFIER_assume(flag == 1);
#endif
  __VERIFIER_atomic_end();
}

static void *one(void *unused) {
  wait_for_flag();
#ifndef FIX
  reach_error();
#endif
  return unused;
}

static void *two(void *unused) {
#ifdef FIX
  if (passed && !flag) reach_error(); /* nobody sees what was taken back */
#endif
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
