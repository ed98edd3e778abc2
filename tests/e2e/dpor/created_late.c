// When main creates `look`, it has come to the join of `early`, which has ended; but nothing of that comes before what
// `look` does.
// expect: false(unreach-call)
// executions: 3
// args: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --dpor source --property unreach-call => false(unreach-call) executions=3
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --dpor classic --property unreach-call => false(unreach-call) executions=4
// run: --engine dpor --property unreach-call => false(unreach-call) executions=3
// run: --engine dpor --property unreach-call -- -DFIX => true executions=2
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call -- -DFIX => true executions=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int was_early, saw_nothing;

static void *early(void *arg) {
  was_early = !y;
  x = 1;
  return arg;
}

static void *look(void *arg) {
  saw_nothing = !x;
  return arg;
}

int main(void) {
  pthread_t t[2];
  void *result;
  pthread_create(&t[0], 0, early, 0);
  y = 1;
#ifdef FIX
  pthread_join(t[0], &result);
  pthread_create(&t[1], 0, look, 0);
#else
  pthread_create(&t[1], 0, look, 0);
  pthread_join(t[0], &result);
#endif
  pthread_join(t[1], &result);
  assert(!was_early || !saw_nothing);
  return 0;
}
