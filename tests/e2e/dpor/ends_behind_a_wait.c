// A thread that waits where it does not matter, and then only ends: whoever joins it comes earlier if it need not wait.
//
// expect: false(unreach-call)
// executions: 1
// args: --engine dpor --property unreach-call
// run: --engine dpor --property unreach-call --dpor source => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call --dpor classic => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call --peek 0 --prune 0 => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call --dependence predicate => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call --dependence conflict => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call --unwind 3 => false(unreach-call) executions=1
// run: --engine explicit --por none --property unreach-call => false(unreach-call) states=29
// run: --engine dpor --property unreach-call -- -DRESULT => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call --dpor classic -- -DRESULT => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call -- -DCHAIN => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call --dpor source -- -DCHAIN => false(unreach-call) executions=1
// run: --engine dpor --property unreach-call -- -DLATER => false(unreach-call) executions=2
// run: --engine dpor --property unreach-call --dpor source -- -DLATER => false(unreach-call) executions=2
// run: --engine dpor --property unreach-call --dpor classic -- -DLATER => false(unreach-call) executions=2
// run: --engine dpor --property unreach-call -- -DFIX => true executions=1
// run: --engine dpor --property unreach-call -- -DFIX -DLATER => true executions=1
// run: --engine explicit --por none --property unreach-call -- -DFIX => true states=28
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *writes(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *waits(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return arg;
}

static void *reads(void *arg) {
  assert(x == 1);
  return arg;
}

#ifdef CHAIN /* somebody else joins it, and main the other one */
static pthread_t b;
static void *joins(void *arg) {
  pthread_join(b, 0);
  return arg;
}
#endif

int main(void) {
  pthread_t a;
#ifndef CHAIN
  pthread_t b;
#endif
  pthread_create(&a, 0, writes, 0);
  pthread_create(&b, 0, waits, 0);
#ifdef FIX
  pthread_join(a, 0);
#endif
#if defined RESULT
  void *result;
  pthread_join(b, &result);
#elif defined CHAIN
  pthread_t c;
  pthread_create(&c, 0, joins, 0);
  pthread_join(c, 0);
#else
  pthread_join(b, 0);
#endif
#ifdef LATER
  pthread_t d;
  pthread_create(&d, 0, reads, 0);
  pthread_join(d, 0);
#else
  reads(0);
#endif
  return 0;
}
