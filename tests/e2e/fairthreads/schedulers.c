// FairThreads: two schedulers have instants in turn here; a proviso says so. An event belongs to one of them. In version
// 1.0 a thread can join one of another scheduler.
// expect: conditional
// states: 6
// proviso: instants of a scheduler of FairThreads that are not in turn
// run: --engine explicit --fairthreads 1.0 -- -DOLD => conditional states=7
// run: --engine explicit -- -DOLD => false(unreach-call) states=4
// run: --engine explicit -- -DWRONG => false(unreach-call) states=7
#include "fthread.h"
#include <assert.h>

static ft_event_t one, two;
static ft_thread_t first;

static void a(void *arg) {
  assert(ft_thread_await(two) == EBADLINK && ft_thread_generate(two) == EBADLINK);
  ft_scheduler_broadcast(two); /* from outside */
  assert(ft_thread_await(one) == OK);
}
static void b(void *arg) {
  assert(ft_thread_await(two) == OK);
  assert(ft_thread_generate_value(one, NULL) == EBADLINK);
  ft_scheduler_broadcast(one);
#ifdef OLD
  assert(ft_thread_join(first) == OK);
#else
  assert(ft_thread_join(first) == EBADLINK);
#endif
#ifdef WRONG
  ft_thread_cooperate();
  assert(ft_thread_await_n(two, 3) == OK);
#endif
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create(), t = ft_scheduler_create();
  one = ft_event_create(s);
  two = ft_event_create(t);
  first = ft_thread_create(s, a, NULL, NULL);
  ft_thread_create(t, b, NULL, NULL);
  ft_scheduler_start(s);
  ft_scheduler_start(t);
  ft_exit();
}
