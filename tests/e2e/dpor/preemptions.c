// `look` has to be interrupted once. A bound finds what needs no more preemptions, and says what it left out.
// expect: conditional
// executions: 2
// args: --engine dpor --preemptions 0 --property unreach-call
// proviso: no error needs more than 0 preemptions
// proviso: no two prefixes of executions have the same hash
// run: --engine dpor --preemptions 1 --property unreach-call => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call => false(unreach-call) executions=1
// run: --engine dpor --preemptions 2 --property unreach-call -- -DFIX => conditional executions=3
// run: --engine dpor --property unreach-call -- -DFIX => true executions=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second, third;

static void *set(void *arg) {
  first = 1;
  second = 1;
  third = 1;
  return arg;
}

static void *look(void *arg) {
#ifdef FIX
  int late = third;
  int early = first;
#else
  int early = first;
  int late = third;
#endif
  assert(!late || early);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, look, 0);
  pthread_create(&t[1], 0, set, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
