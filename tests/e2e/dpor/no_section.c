// The lock of a mutex that is no more fails: what follows is no section of anything.
//
// expect: false(unreach-call)
// executions: 3
// args: --engine dpor --property unreach-call --dependence conflict
// run: --engine dpor --property unreach-call,no-deadlock => false(unreach-call) executions=3
// run: --engine dpor --property unreach-call --dependence conflict --dpor source => false(unreach-call) executions=3
// run: --engine dpor --property unreach-call --dependence conflict -- -DSPIN => false(unreach-call) executions=3
// run: --engine dpor --property unreach-call --dependence conflict -- -DFIX => true executions=2
// run: --engine dpor --property unreach-call --dependence conflict -- -DSPIN -DFIX => true executions=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef SPIN
static pthread_spinlock_t m;
#define LOCK pthread_spin_lock(&m)
#define UNLOCK pthread_spin_unlock(&m)
#define BEGIN pthread_spin_init(&m, 0)
#define END pthread_spin_destroy(&m)
#else
static pthread_mutex_t m;
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
#define BEGIN pthread_mutex_init(&m, 0)
#define END pthread_mutex_destroy(&m)
#endif
static atomic_int x;

static void *one(void *arg) {
  LOCK;
  x = 1;
  assert(x == 1);
  UNLOCK;
  return arg;
}

static void *two(void *arg) {
  LOCK;
  x = 2;
  UNLOCK;
  return arg;
}

int main(void) {
  pthread_t a, b;
  BEGIN;
#ifndef FIX
  END;
#endif
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
