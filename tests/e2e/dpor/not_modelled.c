// Whether the function that nobody knows is called depends on an order that the assertion does not.
// expect: conditional
// executions: 3
// args: --engine dpor --property unreach-call
// proviso: `nobody_knows`
// run: --engine dpor --dependence predicate --property unreach-call => conditional executions=3
// run: --engine dpor --property unreach-call -- -DFIX => true executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void nobody_knows(void);

static atomic_int y;

static void *set(void *arg) {
  y = 5;
  return arg;
}

static void *test(void *arg) {
  y = 1;
#ifndef FIX
  if (y == 5) nobody_knows();
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  int x = 0;
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, test, 0);
  assert(x == 0);
  return 0;
}
