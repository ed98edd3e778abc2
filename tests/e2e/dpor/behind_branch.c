// The slice of the assertion, found without aliasing between threads and enlarged by what executions show (Kusano and
// Wang, ASE 2014, algorithm 3), never has `x = 1`: the first execution does not come to it, and nothing that decides it
// is in the slice. Here memory of other threads counts from the beginning.
// expect: false(unreach-call)
// executions: 2
// args: --engine dpor --dependence predicate --property unreach-call
// run: --engine dpor --dependence predicate --dpor source --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --dependence predicate --dpor classic --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --property unreach-call -- -DFIX => true executions=6
// run: --engine dpor --dependence conflict --property unreach-call -- -DFIX => true executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *set(void *arg) {
  y = 5;
#ifdef FIX
  y = 6;
#endif
  return arg;
}

static void *test(void *arg) {
  y = 1;
  int seen = y;
#ifdef FIX
  if (seen == 7) x = 1;
#else
  if (seen == 5) x = 1;
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, test, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 0);
  return 0;
}
