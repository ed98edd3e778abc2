// Two sections of one mutex have nothing in common, but a thread that takes no lock looks at both: that it sees the
// second and not the first needs them the other way round. Lock calls that are ordered only if their sections conflict
// (Kusano and Wang, ASE 2014, section 5.1) lose that: once the first section has begun, it is too late. Here such
// sections come apart.
// expect: false(unreach-call)
// executions: 3
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call) executions=3
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call) executions=2
// run: --engine dpor --dependence conflict --property unreach-call => false(unreach-call) executions=3
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call => false(unreach-call) executions=3
// run: --engine dpor --property unreach-call -- -DFIX => true executions=3
// run: --engine dpor --peek 0 --property unreach-call -- -DFIX => true executions=3
// run: --engine dpor --dependence conflict --property unreach-call -- -DFIX => true executions=3
// run: --engine dpor --dependence conflict --peek 0 --property unreach-call -- -DFIX => true executions=3
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *first(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *second(void *arg) {
  pthread_mutex_lock(&m);
#ifdef FIX
  if (x) y = 1;
#else
  y = 1;
#endif
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  int seen = y;
  assert(!seen || x);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
