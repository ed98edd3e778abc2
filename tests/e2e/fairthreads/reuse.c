// FairThreads: the place of a thread that has ended is used again after 63 threads were created, behind all others in the
// order; what still names the old thread is a proviso. The twin expects the new thread in the old one's place.
// expect: conditional
// states: 215
// proviso: no FairThread that has ended is named after 63 others were created
// run: --engine explicit => conditional states=215
// run: --engine explicit -- -DWRONG => false(unreach-call) states=195
// run: --engine explicit -- -DN=61 => true states=188
#include "fthread.h"
#include <assert.h>

#ifndef N
#define N 70
#endif
static ft_scheduler_t s;
static int ran, others;

static void counts(void *number) {
  ran++;
  assert((long)number == ran);
}
static void other(void *arg) {
  for (;;) {
    others = ran;
    ft_thread_cooperate();
  }
}
static void creator(void *arg) {
  for (long i = 1; i <= N; i++) {
    ft_thread_t t = ft_thread_create(s, counts, 0, (void *)i);
    assert(ft_thread_join(t) == OK);
    /* The new thread ran behind the other one in this instant. */
#ifdef WRONG
    assert(i < 64 || others == i);
#else
    assert(others == i - 1);
#endif
  }
  ft_scheduler_stop(ft_thread_self());
}
int main(void) {
  s = ft_scheduler_create();
  ft_thread_create(s, creator, 0, 0);
  ft_thread_create(s, other, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
