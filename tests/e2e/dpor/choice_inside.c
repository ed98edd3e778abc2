// An atomic section with a choice in it (an address that comes back or not) is several events, and nobody comes between them: what races with a
// later one of them comes before the first.
//
// expect: false(unreach-call)
// executions: 2
// args: --engine dpor
// run: --engine dpor --dpor source => false(unreach-call) executions=2
// run: --engine dpor --dpor classic --dependence conflict --peek 0 --prune 0 => false(unreach-call) executions=2
// run: --engine explicit --por none => false(unreach-call) states=27
// run: --engine dpor -- -DFIX => true executions=6
// run: --engine explicit --por none -- -DFIX => true states=35
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int flag;
static int *old;
static int came_back;

static void *one(void *unused) {
  __VERIFIER_atomic_begin();
  int *was = old;
  free(old);
  int *again = malloc(sizeof *again);
  if (again == was) came_back = 1;
  int seen = flag;
  __VERIFIER_atomic_end();
#ifdef FIX
  assert(seen == 0 || seen == 1);
#else
  assert(seen == 0);
#endif
  free(again);
  return unused;
}

static void *two(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  old = malloc(sizeof *old);
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
