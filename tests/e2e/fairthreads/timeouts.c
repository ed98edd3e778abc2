// FairThreads: calls with a number of instants. A deadline is tested at the start of its instant, before anybody can
// generate the event in it. No wait at all with a number that is not positive.
// expect: true
// states: 16
// run: --engine explicit => true states=16
// run: --engine explicit --order all => true states=29
// run: --engine explicit --order any => true states=20
// run: --engine explicit -- -DWRONG=1 => false(unreach-call) states=6
// run: --engine explicit -- -DWRONG=2 => false(unreach-call) states=11
// run: --engine explicit -- -DWRONG=3 => false(unreach-call) states=15
#include "fthread.h"
#include <assert.h>
#ifndef WRONG
#define WRONG 0
#endif

static ft_event_t e;
static ft_thread_t clock_thread;
static int instant;

static void ticks(void *arg) {
  for (instant = 1; instant < 8; instant++) {
    if (instant == 3 || instant == 6) ft_thread_generate(e);
    ft_thread_cooperate();
  }
}
static void waits(void *arg) {
  assert(ft_thread_await_n(e, 0) == ETIMEOUT);
  assert(ft_thread_cooperate_n(-1) == OK);
  /* From instant 1: the event of instant 3 comes in time for three instants, not for two. */
  int n = WRONG == 1 ? 2 : 3;
  assert(ft_thread_await_n(e, n) == OK && "in time");
  assert(ft_thread_cooperate_n(2) == OK);
  /* In instant 5. The event comes in instant 6, where the deadline is. */
  assert(ft_thread_await_n(e, WRONG == 2 ? 2 : 1) == ETIMEOUT);
  assert(ft_thread_join_n(clock_thread, 1) == ETIMEOUT);
  assert(ft_thread_join_n(clock_thread, 4) == (WRONG == 3 ? ETIMEOUT : OK));
  assert(ft_thread_join(clock_thread) == OK);
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  e = ft_event_create(s);
  clock_thread = ft_thread_create(s, ticks, NULL, NULL);
  ft_thread_create(s, waits, NULL, NULL);
  ft_scheduler_start(s);
  ft_exit();
}
