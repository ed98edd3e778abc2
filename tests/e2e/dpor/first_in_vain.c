// The first thing that is done to an error-checking mutex is an unlock in vain; in another order it comes behind a lock. It is ordered with that in
// both.
//
// expect: false(unreach-call)
// executions: 2
// args: --engine dpor
// run: --engine dpor --dpor source => false(unreach-call) executions=2
// run: --engine dpor --dependence conflict --peek 0 --prune 0 => false(unreach-call) executions=2
// run: --engine explicit --por none => false(unreach-call)
// run: --engine dpor -- -DFIX => true executions=3
// run: --engine explicit --por none -- -DFIX => true
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static atomic_int inside;

static void *one(void *unused) {
  pthread_mutex_lock(&m);
  inside = 1;
  inside = 0;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *two(void *unused) {
  int refused = pthread_mutex_unlock(&m) != 0;
#ifdef FIX
  assert(refused);
#else
  assert(!(refused && inside));
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
