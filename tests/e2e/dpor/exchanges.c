// A compare-and-exchange that finds something else than it expects is a read: of the six orders of
// three of them, two differ in the order of reads alone. Where it is found to come before what it
// came after, it may store.
// expect: true
// executions: 5
// args: --engine dpor --dependence conflict --property unreach-call
// run: --engine dpor --dpor source --dependence conflict --property unreach-call => true executions=5
// run: --engine dpor --dpor classic --dependence conflict --property unreach-call => true
// run: --engine dpor --dependence conflict --property unreach-call -- -DN=4 => true executions=14
// run: --engine dpor --dependence conflict --property unreach-call -- -DREADERS=2 => true executions=42
// run: --engine dpor --dependence conflict --property unreach-call -- -DBUGGY => false(unreach-call)
// run: --engine dpor --dependence predicate --property unreach-call -- -DBUGGY => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#ifndef READERS
#define READERS 0
#endif

static atomic_uintptr_t turns;

static void *takes_turn(void *number) {
  uintptr_t own = (uintptr_t)number;
  atomic_compare_exchange_strong(&turns, &own, own + 1);
  return 0;
}

static void *reads(void *arg) {
  uintptr_t n = turns;
  (void)n;
  return arg;
}

int main(void) {
  pthread_t thread[N], reader[READERS + 1];
  for (uintptr_t i = 0; i < N; i++) pthread_create(&thread[i], 0, takes_turn, (void *)i);
  for (int i = 0; i < READERS; i++) pthread_create(&reader[i], 0, reads, 0);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  for (int i = 0; i < READERS; i++) pthread_join(reader[i], 0);
#ifdef BUGGY
  assert(turns != N);
#else
  assert(turns <= N);
#endif
  return 0;
}
