// Orders take effect at the next instant: a thread that is stopped runs once more, if it stands earlier in the order.
// Deadlines, joins of ended threads, and a thread that another one ends. Engine esst; the input is symbolic.
// args: --engine esst --property unreach-call
// expect: true
// states: 27
// run: --engine esst --property unreach-call -- -DMORE=0 => false(unreach-call) states=16
// run: --engine esst --property unreach-call --order any => false(unreach-call) states=16
// run: --property unreach-call => true states=27
#include <fthread.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifndef MORE
#define MORE 1
#endif
static int x, first;
static ft_thread_t counter;
static ft_event_t never;

static void count(void *unused) {
  (void)unused;
  for (;;) {
    x = x + 1;
    ft_thread_cooperate();
  }
}
static void stop(void *unused) {
  (void)unused;
  first = __VERIFIER_nondet_int();
  ft_thread_cooperate_n(2);
  x = first < 1000 ? first : 0;
  int before = x;
  ft_scheduler_stop(counter);
  ft_thread_cooperate();
  ft_thread_cooperate();
  if (x != before + 1 - MORE) reach_error();
  if (ft_thread_await_n(never, 3) != ETIMEOUT) reach_error();
  if (ft_thread_join(counter) != OK) reach_error();
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  never = ft_event_create(s);
  counter = ft_thread_create(s, count, 0, 0);
  ft_thread_create(s, stop, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
