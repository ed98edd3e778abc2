// One lock, and two threads that each have half of an array (figure 8 of Kusano and Wang, ASE 2014): binomial(2N, N) orders
// of the sections, of which none matters.
// expect: true
// executions: 1
// args: --engine dpor --property unreach-call,no-data-race,no-deadlock
// run: --engine dpor --dpor source --property unreach-call => true executions=1
// run: --engine dpor --dpor classic --property unreach-call => true executions=1
// run: --engine dpor --dependence conflict --property unreach-call => true executions=1
// run: --engine dpor --peek 0 --property unreach-call => true executions=70
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call => true executions=70
// run: --engine dpor --property unreach-call -- -DBUG => false(unreach-call) executions=1
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DBUG => false(unreach-call) executions=1
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 4
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a[2 * N];

static void fill(int from, int to, int by) {
  for (int i = from; i < to; i++) {
    pthread_mutex_lock(&m);
    a[i] = by;
    pthread_mutex_unlock(&m);
  }
}

static void *low(void *arg) {
#ifdef BUG
  fill(0, N + 1, 1); /* one too far */
#else
  fill(0, N, 1);
#endif
  return arg;
}

static void *high(void *arg) {
  fill(N, 2 * N, 2);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, low, 0);
  pthread_create(&t[1], 0, high, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  for (int i = 0; i < N; i++) assert(a[i] == 1 && a[N + i] == 2);
  return 0;
}
