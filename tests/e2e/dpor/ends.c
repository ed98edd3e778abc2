// What is left when main returns, when a thread keeps a lock, when an assumption fails: nothing that comes before is
// lost, and what waits for ever races with what made it wait.
// expect: false(unreach-call)
// executions: 2
// args: --engine dpor --dependence conflict --peek 0 --property unreach-call
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --dependence conflict --peek 0 --dpor classic --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DFIX => true executions=3
// run: --engine dpor --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --peek 0 --property unreach-call => false(unreach-call) executions=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *keep(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  return arg;
}

static void *check(void *arg) {
  __VERIFIER_assume(x == 0);
  pthread_mutex_lock(&m);
#ifndef FIX
  assert(x != 0);
#endif
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, keep, 0);
  pthread_create(&u, 0, check, 0);
  return 0;
}
