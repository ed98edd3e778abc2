// The stores to x race, but in no execution that is explored are both threads parked at them at one time. Data races are
// looked for between events that are ordered by nothing else, not in states.
// expect: false(unreach-call)
// executions: 12
// args: --engine dpor --keep-going --property unreach-call,no-data-race
// message: data race on x: write by thread 1 and write by thread 3
// message: data race on x: write by thread 1 and read by thread 3
// run: --engine dpor --dpor source --keep-going --property no-data-race => false(no-data-race) executions=12
// run: --engine dpor --dependence conflict --keep-going --peek 0 --property no-data-race => false(no-data-race) executions=12
// run: --engine dpor --property no-data-race -- -DFIX => true executions=12
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y, z;
#ifdef FIX
static atomic_int x;
#else
static int x;
#endif

static void *first(void *arg) {
  y = 1;
  x = 1;
  return arg;
}

static void *second(void *arg) {
  int seen = y;
  assert(z || !seen);
  return arg;
}

static void *third(void *arg) {
  z = 1;
  x = 2;
  return x == 2 ? arg : NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_create(&t[2], 0, third, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
