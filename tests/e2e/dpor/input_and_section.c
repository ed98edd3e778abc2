// An input comes before an atomic section of another thread, with each of its values (optimal took only the first one to there, and true was said once).
// expect: false(unreach-call)
// args: --engine dpor --property unreach-call
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call)
// run: --engine dpor --dpor classic --property unreach-call => false(unreach-call)
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call => false(unreach-call)
// run: --engine explicit --property unreach-call => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DFIX => true
// run: --engine explicit --property unreach-call -- -DFIX => true
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int set, seen = 5;

static void *looks(void *arg) {
  __VERIFIER_atomic_begin();
#ifdef FIX
  if (set != 1)
#endif
    seen = set;
  __VERIFIER_atomic_end();
  return arg;
}

static void *chooses(void *arg) {
  if (__VERIFIER_nondet_bool()) set = 1;
  return arg;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, looks, 0);
  pthread_create(&other, 0, chooses, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(seen != 1);
  return 0;
}
