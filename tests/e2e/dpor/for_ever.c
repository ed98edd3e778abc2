// A thread that goes round for ever, and changes nothing: its path ends, and others do what is left.
//
// expect: false(unreach-call)
// executions: 0
// args: --engine dpor --property unreach-call --limit time=60s
// run: --engine dpor --property unreach-call --dpor source => false(unreach-call) executions=0
// run: --engine dpor --property unreach-call --dpor classic => false(unreach-call) executions=0
// run: --engine dpor --property unreach-call --dependence conflict => false(unreach-call) executions=0
// run: --engine dpor --property unreach-call -- -DYIELDS => false(unreach-call) executions=0
// run: --engine dpor --property unreach-call -- -DFIX => true executions=1
// run: --engine dpor --property unreach-call,no-data-race -- -DFIX -DYIELDS => true executions=1
// run: --engine explicit --por none --property unreach-call => false(unreach-call) states=10
// run: --engine explicit --por none --property unreach-call -- -DFIX => true states=19
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int stop = 1, seen;

static void *goes_round(void *arg) {
  if (stop) {
    for (;;) {
#ifdef YIELDS
      sched_yield();
#endif
    }
  }
#ifdef FIX
  assert(!stop);
#else
  assert(!seen);
#endif
  return arg;
}

static void *stops(void *arg) {
  seen = 1;
  stop = 0;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, goes_round, 0);
  pthread_create(&b, 0, stops, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
