// FairThreads: values of broadcasts come first in the next instant, before those of threads; in version 1.0 in reverse
// order.
// expect: true
// states: 9
// run: --engine explicit => true states=9
// run: --engine explicit --fairthreads 1.0 -- -DOLD => true states=9
// run: --engine explicit --fairthreads 1.0 => false(unreach-call) states=5
// run: --engine explicit -- -DOLD => false(unreach-call) states=5
#include "fthread.h"
#include <assert.h>

static ft_event_t e;

static void gives(void *arg) {
  ft_scheduler_broadcast_value(e, (void *)1L);
  ft_scheduler_broadcast_value(e, (void *)2L);
  ft_thread_generate_value(e, (void *)9L);
  ft_thread_cooperate();
  ft_scheduler_broadcast_value(e, (void *)5L);
  ft_thread_generate_value(e, (void *)3L);
}
static long next(int i) {
  void *value;
  return ft_thread_get_value(e, i, &value) == OK ? (long)value : -1;
}
static void takes(void *arg) {
  assert(next(0) == 9);
  assert(next(1) == -1); /* and now it is the next instant */
#ifdef OLD
  assert(next(0) == 2 && next(1) == 1);
#else
  assert(next(0) == 1 && next(1) == 2);
#endif
  assert(next(2) == 3);
  assert(next(3) == -1);
  assert(next(0) == 5);
  assert(next(1) == -1);
  assert(next(0) == -1);
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  e = ft_event_create(s);
  ft_thread_create(s, gives, NULL, NULL);
  ft_thread_create(s, takes, NULL, NULL);
  ft_scheduler_start(s);
  ft_exit();
}
