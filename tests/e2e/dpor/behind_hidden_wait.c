// A thread waits for ever at a lock that no error depends on, but for the one behind it: that is in no statement at which a thread
// parks, and still has to count as ahead.
//
// expect: false(unreach-call)
// executions: 1
// args: --engine dpor --property unreach-call --dependence predicate
// run: --engine dpor --property unreach-call => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call --dependence predicate --dpor source --peek 0 => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call --dependence predicate -- -DFIX => conditional executions=1
// run: --engine dpor --property unreach-call -- -DFIX => true executions=2
#include <pthread.h>

extern void reach_error(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *keeps(void *unused) {
  pthread_mutex_lock(&m);
  return unused;
}

static void *waits(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#ifndef FIX
  reach_error();
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, keeps, 0);
  pthread_create(&b, 0, waits, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
