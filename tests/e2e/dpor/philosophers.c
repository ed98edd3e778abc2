// Dining philosophers, one of them left-handed: 2^N - 2 executions, if each eats once. Without him they may starve.
// expect: true
// executions: 62
// args: --engine dpor --dependence conflict --peek 0 --property no-deadlock -- -DN=6
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property no-deadlock -- -DN=6 => true executions=62
// run: --engine dpor --dependence conflict --peek 0 --property no-deadlock -- -DN=4 -DBUG => false(no-deadlock) executions=8
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property no-deadlock -- -DN=4 -DBUG => false(no-deadlock) executions=8
// run: --engine dpor --dependence conflict --peek 0 --dpor classic --property no-deadlock -- -DN=3 -DBUG => false(no-deadlock) executions=5
// run: --engine dpor --dependence conflict --peek 0 --keep-going --property no-deadlock -- -DN=4 -DBUG => false(no-deadlock) executions=15
// run: --engine dpor --property no-deadlock -- -DN=6 => true executions=32
// run: --engine dpor --dependence conflict --property no-deadlock -- -DN=6 => true executions=32
// run: --engine dpor --peek 0 --property no-deadlock -- -DN=6 => true executions=62
// run: --engine dpor --property no-deadlock -- -DN=4 -DBUG => false(no-deadlock) executions=8
#include <pthread.h>
#ifndef TIMES
#define TIMES 1
#endif
static pthread_mutex_t fork[N];
static int self[N];

static void *eat(void *arg) {
  int i = *(int *)arg, first = i, second = (i + 1) % N;
#ifndef BUG
  if (i == N - 1) first = second, second = i;
#endif
  for (int k = 0; k < TIMES; k++) {
    pthread_mutex_lock(&fork[first]);
    pthread_mutex_lock(&fork[second]);
    pthread_mutex_unlock(&fork[second]);
    pthread_mutex_unlock(&fork[first]);
  }
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) self[i] = i;
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, eat, &self[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
