// An attempt fails, which orders no accesses, and the thread that holds the lock has ended: also then what comes after the attempt races with what
// that thread did, and a proviso says that this was not looked at.
//
// expect: conditional
// executions: 2
// args: --engine dpor
// proviso: ordered only by the failure of the attempt
// run: --engine dpor --dependence conflict --peek 0 => conditional executions=2
// run: --engine dpor --property unreach-call => true
// run: --engine explicit => conditional
// run: --engine explicit --por none => conditional
// run: --engine dpor -- -DFIX => true
// run: --engine explicit -- -DFIX => true
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *holder(void *unused) {
  shared = 1;
  pthread_mutex_lock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, holder, 0);
#ifdef FIX
  pthread_join(t, 0);
#endif
  if (pthread_mutex_trylock(&m)) shared = 2;
}
