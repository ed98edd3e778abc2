// FairThreads: two threads meet with events. An event lasts to the end of the instant, so whoever comes second in the
// same instant still sees it. The twin lets one side come an instant late: then both wait for ever.
// expect: true
// states: 15
// run: --engine explicit => true states=15
// run: --engine explicit --order all => true states=71
// run: --engine explicit -- -DLATE => false(no-deadlock) states=15
// run: --engine explicit --order all -- -DLATE => false(no-deadlock) states=15
// run: --engine explicit --symmetry threads --minimise -- -DLATE => false(no-deadlock) states=15
#include "fthread.h"
#include <assert.h>

static ft_event_t here, there;
static int left, right, met;

static void a(void *arg) {
  for (int i = 0; i < 3; i++) {
    left = i;
    ft_thread_generate(here);
    ft_thread_await(there);
    assert(right == i);
    met++;
    ft_thread_cooperate();
  }
}
static void b(void *arg) {
  for (int i = 0; i < 3; i++) {
#ifdef LATE
    if (i == 2) ft_thread_cooperate();
#endif
    right = i;
    ft_thread_generate(there);
    ft_thread_await(here);
    assert(left == i);
    met++;
    ft_thread_cooperate();
  }
}
static void last(void *arg) {
  ft_thread_join(((ft_thread_t *)arg)[0]);
  ft_thread_join(((ft_thread_t *)arg)[1]);
  assert(met == 6);
}
int main(void) {
  static ft_thread_t both[2];
  ft_scheduler_t s = ft_scheduler_create();
  here = ft_event_create(s);
  there = ft_event_create(s);
  both[0] = ft_thread_create(s, a, NULL, NULL);
  both[1] = ft_thread_create(s, b, NULL, NULL);
  ft_thread_create(s, last, NULL, both);
  ft_scheduler_start(s);
  ft_exit();
}
