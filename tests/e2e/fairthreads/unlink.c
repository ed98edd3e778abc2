// FairThreads: an unlinked thread runs beside the scheduler, and is linked again at the next instant. What it does there
// that others may notice is a proviso. Calls for linked threads return EBADLINK; the twin expects otherwise.
// expect: conditional
// states: 4
// run: --engine explicit => conditional states=7
// run: --engine explicit --order all => conditional states=11
// run: --engine esst --property unreach-call => conditional states=4
// run: --engine explicit -- -DWRONG => false(unreach-call) states=6
// run: --engine explicit -- -DSHARED => conditional states=7
// run: --engine explicit -- -DSHARED -DWRONG => false(unreach-call) states=6
// run: --engine explicit -- -DSTAYS => conditional states=7
#include "fthread.h"
#include <assert.h>

static ft_scheduler_t s;
static ft_event_t e;
static ft_thread_t leaver;
static int shared;

static void leaves(void *arg) {
  assert(ft_thread_scheduler() == s && ft_thread_link(s) == EBADLINK);
  assert(ft_thread_unlink() == OK);
  assert(ft_thread_scheduler() == NULL && ft_thread_self() == leaver);
  assert(ft_thread_cooperate() == EBADLINK && ft_thread_await(e) == EBADLINK);
  assert(ft_thread_generate(e) == EBADLINK && ft_thread_unlink() == EBADLINK);
#ifdef SHARED
  shared++;
#endif
#ifndef STAYS
  assert(ft_thread_link(s) == OK);
  assert(ft_thread_scheduler() == s);
  assert(ft_thread_generate(e) == OK);
#endif
}
static void awaits(void *arg) {
#ifdef STAYS
  ft_thread_cooperate();
  ft_thread_cooperate();
  assert(ft_scheduler_stop(leaver) == OK);
#else
  ft_thread_await(e);
#endif
#ifdef WRONG
  assert(ft_thread_scheduler() != s);
#endif
#ifdef SHARED
  assert(shared == 1);
#endif
}
int main(void) {
  s = ft_scheduler_create();
  e = ft_event_create(s);
  ft_thread_create(s, awaits, NULL, NULL);
  leaver = ft_thread_create(s, leaves, NULL, NULL);
  ft_scheduler_start(s);
  ft_exit();
}
