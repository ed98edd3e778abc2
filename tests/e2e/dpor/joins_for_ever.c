// A join that waits for ever, and writes its result where main's join writes one, too: nobody has taken its way, so that there is
// no execution to begin in which it comes first.
// expect: false(no-deadlock)
// executions: 2
// args: --engine dpor --dependence conflict --peek 0 --prune 0 --keep-going --property no-deadlock
// run: --engine dpor --dpor source --dependence conflict --peek 0 --prune 0 --keep-going --property no-deadlock => false(no-deadlock) executions=2
// run: --engine dpor --keep-going --property no-deadlock => false(no-deadlock) executions=2
// run: --engine dpor --keep-going --property no-deadlock -- -DFIX => true executions=2
// message: Statistics: 2 executions, 29 transitions
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t waiter, quick, keeper;
void *result;

void *waits(void *arg) {
  pthread_mutex_lock(&m);
#ifdef FIX
  pthread_mutex_unlock(&m);
#endif
  return arg;
}

void *ends(void *arg) {
  return arg;
}

void *joins(void *arg) {
  pthread_mutex_lock(&m);
#ifdef FIX
  pthread_mutex_unlock(&m);
#endif
  pthread_join(waiter, &result);
  return arg;
}

int main(void) {
  pthread_create(&waiter, 0, waits, 0);
  pthread_create(&quick, 0, ends, 0);
  pthread_create(&keeper, 0, joins, 0);
  pthread_join(quick, &result);
  pthread_join(keeper, 0);
  return 0;
}
