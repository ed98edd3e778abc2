// A pointer that is loaded, compared with an allocation, and dropped, before the next operation that others can tell: the address of
// what it points to may have come back in between.
//
// expect: false(unreach-call)
// executions: 2
// args: --engine dpor
// run: --engine dpor --dpor source => false(unreach-call) executions=2
// run: --engine dpor --dpor classic --dependence conflict --peek 0 --prune 0 => false(unreach-call) executions=2
// run: --engine dpor --preemptions 3 => false(unreach-call) executions=2
// run: --engine dpor -- -DKEPT => false(unreach-call) executions=2
// run: --engine dpor -- -DFIX => true executions=2
// run: --engine dpor --dependence conflict --peek 0 --prune 0 -- -DFIX => true executions=2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void reach_error(void);
static int *_Atomic top;

static void *one(void *unused) {
#ifdef KEPT /* in memory that only this thread can reach */
  int *kept[2];
  kept[1] = top;
  int *p = kept[1];
  int *q = malloc(sizeof *q);
  p = kept[1];
  kept[1] = 0;
#elif defined FIX
  int *q = malloc(sizeof *q); /* while what it is compared with has not been looked at */
  int *p = top;
#else
  int *p = top;
  int *q = malloc(sizeof *q);
#endif
  if (p && p == q) reach_error();
  return unused;
}

static void *two(void *unused) {
  free(atomic_exchange(&top, (int *)0));
  return unused;
}

int main(void) {
  pthread_t a, b;
  top = malloc(sizeof *top);
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
