// One thread waits for a signal that nobody sends, another one goes round in a loop that does not matter to that: the
// deadlock is found, and its path stops the loop where the search did.
// expect: false(no-deadlock)
// executions: 1
// args: --engine dpor --no-spurious --property no-deadlock
// run: --engine dpor --dpor source --no-spurious --property no-deadlock => false(no-deadlock) executions=1
// run: --engine dpor --dependence predicate --no-spurious --property no-deadlock => false(no-deadlock) executions=1
// run: --engine dpor --dependence conflict --no-spurious --property no-deadlock => false(no-deadlock) executions=1
// run: --engine dpor --no-spurious --property no-deadlock -- -DFIX => conditional executions=2
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int y;
static int ready;

static void *set(void *arg) {
  pthread_mutex_lock(&n);
  y = 2;
  pthread_mutex_unlock(&n);
#ifdef FIX
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
#endif
  return arg;
}

static void *wait(void *arg) {
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}

static int is_set(void) {
  return y == 2;
}

static void *spin(void *arg) {
  while (!is_set()) {
  }
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, set, 0);
  pthread_create(&t[1], 0, wait, 0);
  pthread_create(&t[2], 0, spin, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
