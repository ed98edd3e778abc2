// One thread waits for a signal that nobody sends, another one goes round in a loop that does not matter to that: the
// deadlock is found, and on the path to it the loop ends where it did in the search.
// expect: false(no-deadlock)
// executions: 1
// args: --engine dpor --no-spurious --property no-deadlock
// run: --engine dpor --dpor source --no-spurious --property no-deadlock => false(no-deadlock) executions=1
// run: --engine dpor --dependence predicate --no-spurious --property no-deadlock => false(no-deadlock) executions=1
// run: --engine dpor --dependence conflict --no-spurious --property no-deadlock => false(no-deadlock) executions=1
// run: --engine dpor --no-spurious --property no-deadlock -- -DFIX => true executions=1
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, y, z;

static void *set(void *arg) {
  y = 2;
  return arg;
}

static void *wait(void *arg) {
  pthread_mutex_lock(&m);
#ifndef FIX
  if (!ready) pthread_cond_wait(&c, &m);
#endif
  return arg;
}

static void *spin(void *arg) {
  int seen;
  while (y != 2) {
  }
  seen = z;
  (void)seen;
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, set, 0);
  pthread_create(&t[1], 0, wait, 0);
  pthread_create(&t[2], 0, spin, 0);
  pthread_join(t[1], 0);
  return 0;
}
