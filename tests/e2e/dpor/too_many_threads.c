// A thread is refused while another one is alive (--max-threads). Once that has ended it is not, so that the creation may have to come later: what
// holds where it is never refused is looked at, too.
// expect: false(unreach-call)
// args: --engine dpor --max-threads 2 --property unreach-call
// run: --engine dpor --dpor source --max-threads 2 --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor classic --max-threads 2 --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence predicate --max-threads 2 --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --peek 0 --max-threads 2 --property unreach-call => false(unreach-call)
// run: --engine explicit --por none --max-threads 2 --property unreach-call => false(unreach-call)
// run: --engine explicit --max-threads 2 --property unreach-call => false(unreach-call)
// run: --engine dpor --max-threads 2 --property unreach-call -- -DFIX => conditional
// run: --engine dpor --dependence predicate --max-threads 2 --property unreach-call -- -DFIX => conditional
// run: --engine explicit --max-threads 2 --property unreach-call -- -DFIX => conditional
// run: --engine dpor --max-threads 3 --property unreach-call -- -DFIX => true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *one(void *arg) {
  first = 1;
  return arg;
}

static void *other(void *arg) {
  second = 1;
  return arg;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], 0, one, 0);
  pthread_create(&thread[1], 0, other, 0);
  pthread_join(thread[1], 0);
#ifdef FIX
  assert(second && first <= 1);
#else
  assert(!second || first > 1);
#endif
  return 0;
}
