// A compare-and-exchange that stores nothing does not race with a plain read.
// expect: true
// states: 14
// args: --property no-data-race
// run: --engine explicit --property no-data-race => true states=14
// run: --engine dpor --property no-data-race => true executions=1
// run: --engine explicit --por none --property no-data-race -- -DSTORES => false(no-data-race) states=3
// run: --engine explicit --property no-data-race -- -DSTORES => false(no-data-race) states=3
// run: --engine dpor --property no-data-race -- -DSTORES => false(no-data-race) executions=0
// run: --engine explicit --property no-data-race -- -DWRITES => false(no-data-race) states=3
// run: --engine dpor --property no-data-race -- -DWRITES => false(no-data-race) executions=0
#include <pthread.h>
#include <stdbool.h>

#ifdef STORES
static int place = 1;
#else
static int place;
#endif
static int seen;

static void *exchanges(void *arg) {
  int expected = 1;
  __atomic_compare_exchange_n(&place, &expected, 2, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return arg;
}

static void *looks(void *arg) {
#ifdef WRITES
  place = 3;
#else
  seen = place;
#endif
  return arg;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, exchanges, 0);
  pthread_create(&other, 0, looks, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
