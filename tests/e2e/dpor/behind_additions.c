// Of the six orders of two additions and a compare-and-exchange behind them that does not find what it expects, all are one class. If it is to come
// before one of the additions it may find it: what it found then, without what that added (an execution was given up for each once).
// expect: true
// executions: 5
// args: --engine dpor --dependence conflict --property unreach-call
// run: --engine dpor --dpor source --dependence conflict --property unreach-call => true executions=5
// run: --engine dpor --dpor classic --dependence conflict --property unreach-call => true
// run: --engine dpor --dependence conflict --property unreach-call -- -DEXPECTED=1 => true executions=6
// run: --engine dpor --dependence conflict --property unreach-call -- -DEXPECTED=3 => true executions=4
// run: --engine explicit --por none --property unreach-call => true
// run: --engine dpor --dependence conflict --property unreach-call -- -DBUGGY => false(unreach-call)
// run: --engine dpor --dpor source --dependence conflict --property unreach-call -- -DBUGGY => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DBUGGY => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef EXPECTED
#define EXPECTED 2
#endif

static union {
  atomic_int all;
  atomic_short half[2];
} word;

static void *reads(void *arg) {
  int other = word.half[1];
  (void)other;
  return arg;
}

static void *adds(void *arg) {
  word.half[0] += 1;
  return arg;
}

static void *exchanges(void *arg) {
  int expected = EXPECTED;
  atomic_compare_exchange_strong(&word.all, &expected, 7);
  return arg;
}

int main(void) {
  void *(*const starts[])(void *) = {reads, adds, adds, exchanges};
  pthread_t thread[4];
  for (int i = 0; i < 4; i++) pthread_create(&thread[i], 0, starts[i], 0);
  for (int i = 0; i < 4; i++) pthread_join(thread[i], 0);
#ifdef BUGGY
  assert(word.all != 7); /* the exchange comes last */
#else
  assert(word.all == 2 || (word.all >= 7 && word.all <= 9));
#endif
  return 0;
}
