// An atomic section depends on everything, so that it comes before a lock in the order; but that the lock had to wait
// is not its doing, and the lock of the thread before races with it all the same. Else the lost signal is not found.
// expect: false(no-deadlock)
// executions: 3
// args: --engine dpor --dependence conflict --peek 0 --no-spurious --property no-deadlock
// run: --engine dpor --dependence conflict --peek 0 --dpor source --no-spurious --property no-deadlock => false(no-deadlock) executions=3
// run: --engine dpor --dependence conflict --peek 0 --dpor classic --no-spurious --property no-deadlock => false(no-deadlock) executions=3
// run: --engine dpor --dependence conflict --peek 0 --no-spurious --property no-deadlock -- -DFIX => conditional executions=15
// run: --engine dpor --no-spurious --property no-deadlock => false(no-deadlock) executions=2
// run: --engine dpor --dependence conflict --no-spurious --property no-deadlock => false(no-deadlock) executions=3
// run: --engine dpor --peek 0 --no-spurious --property no-deadlock => false(no-deadlock) executions=2
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int a;
static int x;

static void *tell(void *arg) {
  pthread_cond_signal(&c);
  return arg;
}

static void *count(void *arg) {
  pthread_mutex_lock(&m);
  __VERIFIER_atomic_begin();
  x++;
  __VERIFIER_atomic_end();
#ifdef FIX
  pthread_cond_signal(&c);
#endif
  pthread_mutex_unlock(&m);
  return arg;
}

static void *wait(void *arg) {
  a++;
  pthread_mutex_lock(&m);
  if (!x) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, tell, 0);
  pthread_create(&t[1], 0, count, 0);
  pthread_create(&t[2], 0, wait, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
