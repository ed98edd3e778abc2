// A loop that changes what it waits for is no await loop: it goes round for ever in some executions, and a bound on how
// often it does says so.
// expect: conditional
// executions: 4
// args: --engine dpor --dependence conflict --unwind 3 --property unreach-call
// proviso: no thread does an operation at
// run: --engine dpor --dependence conflict --unwind 3 --dpor source --property unreach-call => conditional executions=4
// run: --engine dpor --dependence conflict --unwind 3 --property unreach-call -- -DBUG => false(unreach-call) executions=1
// run: --engine dpor --dependence conflict --unwind 2 --property unreach-call -- -DBUG => conditional executions=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tries, open_;

static void *wait(void *arg) {
  while (!atomic_load(&open_)) {
#ifdef BUG
    int n = atomic_fetch_add(&tries, 1);
    assert(n < 2);
#else
    atomic_fetch_add(&tries, 1);
#endif
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  open_ = 1;
  pthread_join(t, 0);
  return 0;
}
