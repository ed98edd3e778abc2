// A condition variable and a semaphore: whom a signal finds waiting is a race, too.
// expect: true
// executions: 2
// args: --engine dpor --dependence conflict --peek 0 --property unreach-call,no-deadlock
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call,no-deadlock -- -DBUG => false(no-deadlock) executions=1
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property unreach-call,no-deadlock -- -DBUG => false(no-deadlock) executions=1
// run: --engine dpor --property unreach-call,no-deadlock => true executions=2
// run: --engine dpor --dependence conflict --property unreach-call,no-deadlock => true executions=2
// run: --engine dpor --peek 0 --property unreach-call,no-deadlock => true executions=2
// run: --engine dpor --property unreach-call,no-deadlock -- -DBUG => false(no-deadlock) executions=1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t full;
static int ready, taken;

static void *consume(void *arg) {
  pthread_mutex_lock(&m);
#ifdef BUG
  pthread_cond_wait(&c, &m);
#else
  while (!ready) pthread_cond_wait(&c, &m);
#endif
  taken = ready;
  pthread_mutex_unlock(&m);
  sem_post(&full);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&full, 0, 0);
  pthread_create(&t, 0, consume, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  sem_wait(&full);
  assert(taken == 1);
  pthread_join(t, 0);
  return 0;
}
