// What the thread waits for does not matter to the assertion, and it never gets it: on the way to the error it goes round no
// more than it has to.
// expect: false(unreach-call)
// executions: 0
// args: --engine dpor --property unreach-call
// run: --engine dpor --dependence predicate --property unreach-call => false(unreach-call) executions=0
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call) executions=0
// run: --engine dpor --property unreach-call -- -DFIX => true executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, x;

static void *wait(void *arg) {
  while (!flag) {
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  x = 1;
#ifdef FIX
  assert(x == 1);
#else
  assert(x == 2);
#endif
  flag = 1;
  return 0;
}
