// Indeterminate values in cooperative threads: one is passed on by a thread and used by another one, after the scheduler has chosen.
// args: --engine esst --property def-behavior
// expect: true
// states: 8
// run: --engine explicit --property def-behavior => true states=10
// run: --engine esst --property def-behavior -- -DBUG => false(def-behavior) states=5
// run: --engine explicit --property def-behavior -- -DBUG => false(def-behavior) states=9
// run: --engine esst --property def-behavior --order any -- -DBUG => false(def-behavior) states=5
// run: --engine esst --property unreach-call -- -DBUG => true states=8
// run: --property unreach-call,def-behavior => true states=10
// run: --property unreach-call,def-behavior -- -DBUG => false(def-behavior) states=9
// Divisions and shifts, too:
// run: --engine esst --property def-behavior -- -DZERO => false(def-behavior) states=10
#include <fthread.h>
extern int __VERIFIER_nondet_int(void);

static ft_event_t ready;
static int shared, divisor = 1;

static void producer(void *unused) {
  (void)unused;
  int value, input = __VERIFIER_nondet_int();
#ifdef BUG /* nothing is set if the input is 7 */
  if (input != 7) value = 1;
#else
  value = input == 7;
#endif
  ft_thread_cooperate();
  shared = value; /* a copy is no use */
#ifdef ZERO
  divisor = input == 7 ? 0 : 2;
#endif
  ft_thread_generate(ready);
}
static void consumer(void *unused) {
  (void)unused;
  int n = 0;
  ft_thread_await(ready);
  if (shared) n++;
  n = 100 / divisor;
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ready = ft_event_create(s);
  ft_thread_create(s, consumer, 0, 0);
  ft_thread_create(s, producer, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
