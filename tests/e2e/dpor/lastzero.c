// Abdulla et al.'s lastzero (POPL 2014): source sets give executions up that wakeup trees do not begin.
// expect: true
// executions: 64
// args: --engine dpor --dependence conflict --peek 0 --property unreach-call
// run: --engine dpor --dependence conflict --peek 0 --dpor source --property unreach-call => true executions=64
// run: --engine dpor --dependence conflict --peek 0 --dpor classic --property unreach-call => true executions=406
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DBUG => false(unreach-call) executions=25
// run: --engine dpor --property unreach-call => true executions=64
// run: --engine dpor --dependence conflict --property unreach-call => true executions=64
// run: --engine dpor --peek 0 --property unreach-call => true executions=64
// run: --engine dpor --property unreach-call -- -DBUG => false(unreach-call) executions=25
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef N
#define N 5
#endif
static atomic_int a[N + 1];

static void *find(void *arg) {
  int i = N;
  while (a[i]) i--;
#ifdef BUG
  assert(i != 2);
#else
  assert(i >= 0);
#endif
  return arg;
}

static void *write(void *arg) {
  int j = (int)(intptr_t)arg;
  a[j] = a[j - 1] + 1;
  return 0;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], 0, find, 0);
  for (int i = 1; i <= N; i++) pthread_create(&t[i], 0, write, (void *)(intptr_t)i);
  for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
  return 0;
}
