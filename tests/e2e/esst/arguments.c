// Arguments of primitives that are not constant: each value that they may have is executed. An
// argument with too many values is a proviso.
// args: --engine esst --property unreach-call
// expect: true
// states: 93
// run: --engine esst --property unreach-call -- -DWRONG => false(unreach-call) states=77
// run: --engine esst --property unreach-call -- -DMANY => conditional states=9
// run: --engine esst --property unreach-call -- -DMANY -DWRONG => conditional states=57
#include <fthread.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int instants, ticks;
static ft_event_t go;

static void count(void *unused) {
  (void)unused;
  for (;;) {
    if (ticks < 100) ticks = ticks + 1;
    ft_thread_cooperate();
  }
}
static void waits(void *unused) {
  (void)unused;
  int n = __VERIFIER_nondet_int();
#ifndef MANY
  if (n < 1 || n > 3) n = 1;
#else
  if (n < 1) n = 1;
#endif
  ticks = 0;
  if (ft_thread_await_n(go, n) != ETIMEOUT) reach_error();
#ifdef WRONG
  if (ticks == 2) reach_error();
#elif !defined MANY
  if (ticks != n) reach_error();
#endif
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  go = ft_event_create(s);
  ft_thread_create(s, count, 0, 0);
  ft_thread_create(s, waits, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
