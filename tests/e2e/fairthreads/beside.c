// FairThreads: what main does between the start of the scheduler and ft_exit happens at the same time as the threads.
// It is not modelled: where others could notice it there is a proviso.
// expect: conditional
// states: 3
// proviso: no other thread uses what is accessed at
// run: --engine explicit -- -DQUIET => true states=3
// run: --engine explicit -- -DENDS => conditional states=2
// run: --engine explicit -- -DCALL => conditional states=3
// run: --engine explicit -- -DUNLINK => conditional states=4
// run: --engine explicit -- -DSECOND => conditional states=4
// run: --engine explicit -- -DLOOP => conditional states=2
// run: --engine explicit -- -DUNSTARTED => false(no-deadlock) states=2
#include "fthread.h"
#include <assert.h>

static int shared;
static void run(void *arg) {
#ifdef UNLINK
  ft_thread_unlink();
#endif
  assert(shared == 0 || shared == 1);
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_event_t e = ft_event_create(s);
  ft_thread_create(s, run, NULL, NULL);
#ifdef SECOND
  ft_scheduler_create();
#endif
#ifndef UNSTARTED
  ft_scheduler_start(s);
#endif
#ifdef ENDS
  return 0;
#endif
#ifdef CALL
  ft_scheduler_broadcast(e);
#endif
#ifdef LOOP
  for (;;) {}
#endif
#ifdef QUIET
  int private = 1;
  private ++;
#elif !defined UNLINK && !defined UNSTARTED
  shared = 1;
#endif
  ft_exit();
}
