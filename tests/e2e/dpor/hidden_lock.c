// The lock is not in the slice of the assertion, which takes waiting to end; but what it guards is. Where the reader has
// to wait, or is to come first and cannot, the lock matters.
// expect: false(unreach-call)
// executions: 0
// args: --engine dpor --dependence predicate --property unreach-call
// run: --engine dpor --dependence predicate --peek 0 --property unreach-call => false(unreach-call) executions=1
// run: --engine dpor --dependence predicate --dpor source --peek 0 --property unreach-call => false(unreach-call) executions=1
// run: --engine dpor --dependence predicate --dpor classic --peek 0 --property unreach-call => false(unreach-call) executions=1
// run: --engine dpor --peek 0 --property unreach-call -- -DSPIN => false(unreach-call) executions=1
// run: --engine dpor --dependence predicate --property unreach-call -- -DSPIN => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call -- -DSPIN -DFIX => true executions=2
// run: --engine dpor --peek 0 --property unreach-call -- -DFIX => true executions=2
// run: --engine dpor --property unreach-call -- -DFIX => true executions=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int taken;
static int x, other;

static void lock(void) {
#ifdef SPIN
  while (atomic_exchange(&taken, 1)) {
  }
#else
  pthread_mutex_lock(&m);
#endif
}

static void unlock(void) {
#ifdef SPIN
  taken = 0;
#else
  pthread_mutex_unlock(&m);
#endif
}

static void *set(void *arg) {
  lock();
  x = 1;
  x = 2;
  unlock();
  return arg;
}

static void *look(void *arg) {
  other++;
  lock();
  int seen = x;
  unlock();
#ifdef FIX
  assert(seen != 1);
#else
  assert(seen != 0);
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, look, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
