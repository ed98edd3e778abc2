// An atomic section with a choice in it, in which the execution ends: all of its events are taken back, and others go on as if it had not begun.
//
// expect: false(unreach-call)
// executions: 1
// args: --engine dpor
// run: --engine dpor --dpor source => false(unreach-call) executions=1
// run: --engine dpor --dpor classic --dependence conflict --peek 0 --prune 0 => false(unreach-call) executions=1
// run: --engine explicit --por none => false(unreach-call) states=15
// run: --engine dpor -- -DFIX => true executions=2
// run: --engine dpor --dpor source -- -DFIX => true executions=2
// run: --engine explicit --por none -- -DFIX => true states=27
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition);

static atomic_int flag;
static int *old;
static int came_back;

static void *one(void *unused) {
  __VERIFIER_atomic_begin();
  int *was = old;
  free(old);
  int *again = malloc(sizeof *again);
  if (again == was) came_back = 1;
  __VERIFIER_assume(flag == 1);
  __VERIFIER_atomic_end();
#ifdef FIX
  assert(flag == 1);
#else
  assert(!came_back);
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
