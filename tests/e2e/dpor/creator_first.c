// A lock that nobody asks about is hidden, and the thread that creates another one goes on first: on the error's path, too, or the other thread would
// keep the lock from it.
//
// expect: false(unreach-call)
// executions: 0
// args: --engine dpor --property unreach-call
// run: --engine dpor --property unreach-call --dependence conflict => false(unreach-call)
// run: --engine explicit --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => true executions=2
// run: --engine explicit --property unreach-call -- -DFIX => true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int tries;

static void *other(void *unused) {
  pthread_mutex_lock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&m);
  tries++;
#ifdef FIX
  assert(tries == 1);
#else
  assert(tries == 0);
#endif
}
