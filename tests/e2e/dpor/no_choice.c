// A choice between no values ends the execution: whether there are any is a branch, that slices know of, too.
//
// expect: false(unreach-call)
// executions: 0
// args: --engine dpor
// run: --engine dpor --dpor source --dependence conflict --peek 0 --prune 0 => false(unreach-call) executions=0
// run: --engine dpor --dependence predicate => false(unreach-call) executions=0
// run: --engine dpor -- -DBEHIND => false(unreach-call) executions=1
// run: --engine dpor --dependence predicate -- -DBEHIND => false(unreach-call) executions=1
// run: --engine explicit --por none -- -DFIX => true states=15
// run: --engine dpor -- -DFIX => true executions=2
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);
extern int proviso_choose(int low, int high);

static atomic_int x;

static void *one(void *unused) {
  int high = x;
  proviso_choose(1, high); /* no value if this comes first: that path does not exist */
#ifdef BEHIND
  reach_error();
#endif
  return unused;
}

static void *two(void *unused) {
  x = 1;
#if !defined FIX && !defined BEHIND
  reach_error();
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
