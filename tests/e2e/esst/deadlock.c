// A deadlock of cooperative threads: none can ever run again, and one is alive. Here a thread waits for an event that is generated
// only if it waits already.
// args: --engine esst --property no-deadlock
// expect: true
// states: 9
// run: --engine esst --property no-deadlock --order all => false(no-deadlock) states=6
// run: --engine esst --property no-deadlock --order all --por none => false(no-deadlock) states=3
// run: --engine esst --property no-deadlock --order any => false(no-deadlock) states=3
// run: --engine explicit --property no-deadlock => true states=5
// run: --engine explicit --property no-deadlock --order all => false(no-deadlock) states=7
// run: --engine esst --property no-deadlock --order all -- -DRIGHT => true states=10
// run: --engine esst --property no-deadlock --order all --por none -- -DRIGHT => true states=13
// run: --engine esst --property no-deadlock --order any -- -DRIGHT => true states=10
// run: --engine explicit --property no-deadlock --order all -- -DRIGHT => true states=12
// Without no-deadlock such a run is no error, and an error beside it is found:
// run: --engine esst --property unreach-call --order all => true states=9
// run: --engine esst --property unreach-call,no-deadlock --order all => false(no-deadlock) states=6
// run: --engine esst --property unreach-call --order all -- -DBUG => false(unreach-call) states=4
// run: --engine explicit --property unreach-call --order all -- -DBUG => false(unreach-call) states=5
// run: --engine esst --property unreach-call -- -DBUG => true states=9
#include <fthread.h>
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static ft_event_t e;
static int waits;

static void waiter(void *unused) {
  (void)unused;
  waits = 1;
  ft_thread_await(e);
}
static void generator(void *unused) {
  (void)unused;
#ifdef BUG
  if (!waits) reach_error();
#endif
#ifndef RIGHT
  if (!waits) return;
#else
  if (__VERIFIER_nondet_bool()) ft_thread_cooperate();
#endif
  ft_thread_generate(e);
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  e = ft_event_create(s);
  ft_thread_create(s, waiter, 0, 0);
  ft_thread_create(s, generator, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
