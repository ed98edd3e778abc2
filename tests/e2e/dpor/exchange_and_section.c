// A compare-and-exchange is to come before an atomic section that stores there: what it does then was not known, and what slept need not have looked at it
// (the optimal search lost a class of 259 once).
// expect: conditional
// args: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call
// run: --engine dpor --dpor source --dependence conflict --peek 0 --prune 0 --property unreach-call => conditional executions=259
// run: --engine dpor --property unreach-call => conditional
// executions: 259
// run: --engine dpor --property unreach-call -- -DBUGGY => false(unreach-call)
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call -- -DBUGGY => false(unreach-call)
// run: --engine explicit --por none --property unreach-call -- -DBUGGY => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static atomic_int a;
static int *shared;

static void *has_section(void *arg) {
  a = 5;
  __VERIFIER_atomic_begin();
  a = 3;
  __VERIFIER_atomic_end();
  return arg;
}

static void *shares(void *arg) {
  a = 2;
  int local = 1;
  shared = &local;
  int read = a;
  (void)read;
  return arg;
}

static void *writes(void *arg) {
  int *there = shared;
  *there = 3;
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, has_section, 0);
  pthread_create(&threads[1], 0, shares, 0);
  pthread_create(&threads[2], 0, writes, 0);
  int expected = 0;
  atomic_compare_exchange_strong(&a, &expected, 4);
#ifdef BUGGY
  assert(expected != 5);
#endif
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
