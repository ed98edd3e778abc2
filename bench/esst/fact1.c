/* fact1, fact1-bug (-DBUG), fact1-mod (-DMOD): one thread counts down, another one multiplies; they hand over by events. A
 * hand-over that is missed would be a deadlock, and is an error here. -DBUG: the multiplier comes too late for an event. -DMOD: the
 * number is an input, and what the multiplier gets is checked. Written by us after section 6 of Cimatti, Narasamdya, Roveri, LMCS 2012, which
 * takes the idea from Johnson et al., 2010. */
#include <fthread.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static ft_event_t go, done;
static int n, product = 1, finished;

static void counts(void *unused) {
  (void)unused;
#ifdef MOD
  n = __VERIFIER_nondet_int();
  if (n < 1) n = 1;
#else
  n = 4;
#endif
  while (n > 1) {
    ft_thread_generate(go);
    if (ft_thread_await_n(done, 3) != OK) reach_error();
    n = n - 1;
    ft_thread_cooperate();
  }
  finished = 1;
#ifdef MOD
  if (n != 1) reach_error();
#endif
}
static void multiplies(void *unused) {
  (void)unused;
#ifdef BUG
  ft_thread_cooperate();
#endif
  while (!finished) {
    if (ft_thread_await_n(go, 3) != OK) break;
#ifdef MOD
    if (n < 2) reach_error();
#endif
    product = product * n;
    ft_thread_generate(done);
    ft_thread_cooperate();
  }
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  go = ft_event_create(s);
  done = ft_event_create(s);
  ft_thread_create(s, counts, 0, 0);
  ft_thread_create(s, multiplies, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
