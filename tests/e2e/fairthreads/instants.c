// FairThreads: in every instant `beat` generates an event, and `echo` answers it. The twins have an instantaneous loop: an
// instant that never ends. -DBUG=1: a thread does not wait for the answer. -DBUG=2: it waits for an event that is present
// until the instant ends. -DBUG=3: it makes no call at all. -DMAIN: a thread beside the scheduler goes on for ever, which
// keeps no instant from its end; that the others run first is a proviso. -DEARLY: no instant ever begins.
// args: --property no-endless-instant
// expect: true
// states: 6
// run: --property no-endless-instant --order all => true states=11
// run: --property no-endless-instant --order any => true states=9
// run: --property no-endless-instant -- -DBUG=1 => false(no-endless-instant) states=3
// run: --property no-endless-instant -- -DBUG=2 => false(no-endless-instant) states=4
// run: --property no-endless-instant -- -DBUG=3 => false(no-endless-instant) states=3
// run: --property no-endless-instant --order all -- -DBUG=2 => false(no-endless-instant) states=5
// run: --property no-endless-instant --order any -- -DBUG=2 => false(no-endless-instant) states=5
// run: --property no-endless-instant -- -DMAIN => conditional states=2
// run: --property no-endless-instant -- -DEARLY => true states=2
// run: --property no-endless-instant --engine esst => true states=6
// run: --property no-endless-instant --engine esst --order any => true states=11
// run: --property no-endless-instant --engine esst -- -DBUG=1 => false(no-endless-instant) states=3
// run: --property no-endless-instant --engine esst --order all -- -DBUG=2 => false(no-endless-instant) states=15
// run: --property no-endless-instant --engine esst -- -DBUG=3 => false(no-endless-instant) states=3
// run: --property no-endless-instant --engine esst -- -DMAIN => conditional states=3
// run: --property no-endless-instant --engine esst -- -DEARLY => true states=2
#include "fthread.h"
#ifndef BUG
#define BUG 0
#endif
static ft_event_t ping, pong;

static void beat(void *arg) {
  for (;;) {
    ft_thread_generate(ping);
    if (BUG == 1) continue;
    if (BUG == 3) break;
    ft_thread_await(pong);
    ft_thread_cooperate();
  }
  for (;;)
    ;
}
static void echo(void *arg) {
  for (;;) {
    ft_thread_await(ping);
    ft_thread_generate(pong);
    if (BUG != 2) ft_thread_cooperate();
  }
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ping = ft_event_create(s);
  pong = ft_event_create(s);
  ft_thread_create(s, beat, NULL, NULL);
  ft_thread_create(s, echo, NULL, NULL);
#ifdef EARLY
  for (;;)
    ;
#endif
  ft_scheduler_start(s);
#ifdef MAIN
  for (;;)
    ;
#endif
  ft_exit();
}
