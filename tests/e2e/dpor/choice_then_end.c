// An atomic section with a choice in it, in which the execution ends: what others do before it is not looked at, and a proviso says so.
//
// expect: conditional
// executions: 4
// args: --engine dpor
// proviso: before an atomic section with a choice in it
// run: --engine explicit --por none => false(unreach-call)
// run: --engine dpor -- -DFIX => conditional executions=4
// run: --engine explicit --por none -- -DFIX => true
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
