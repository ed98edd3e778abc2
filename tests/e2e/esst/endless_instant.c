// Instants that never end, found as cycles of tree and cover edges on which no instant ends; with inputs and a sum without bound, so
// that the machine alone does not prove the property. -DBUG=1: after an input of 0 a thread no longer cooperates. -DBUG=2: another one
// answers for ever in one instant, which reductions could put off for ever, so there is none. -DCOUNTS: a loop that counts down from an
// input ends, but the abstract states have a cycle, which would need a ranking function: a proviso. -DCOUNTS -DBUG=3: it does not count.
// args: --engine esst --property no-endless-instant
// expect: true
// states: 5
// run: --engine esst --property no-endless-instant --order all => true states=10
// run: --engine esst --property no-endless-instant --order any => true states=10
// run: --engine explicit --property no-endless-instant --limit states=5000 => conditional states=5000
// run: --engine esst --property no-endless-instant -- -DBUG=1 => false(no-endless-instant) states=7
// run: --engine esst --property no-endless-instant --order all -- -DBUG=1 => false(no-endless-instant) states=26
// run: --engine esst --property no-endless-instant -- -DBUG=2 => false(no-endless-instant) states=4
// run: --engine esst --property no-endless-instant --order any --por sleep -- -DBUG=2 => false(no-endless-instant) states=7
// run: --engine esst --property no-endless-instant -- -DCOUNTS => conditional states=7
// run: --engine esst --property no-endless-instant -- -DCOUNTS -DBUG=3 => false(no-endless-instant) states=7
// run: --engine esst --property no-endless-instant,unreach-call => true states=5
#include <fthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
#ifndef BUG
#define BUG 0
#endif

static ft_event_t e;
static unsigned sum;

static void adds(void *unused) {
  (void)unused;
  for (;;) {
    unsigned n = __VERIFIER_nondet_uint();
    sum += n;
    ft_thread_generate(e);
#ifdef COUNTS
    for (unsigned i = n; i > 0; i -= BUG != 3) ft_thread_generate(e);
#endif
    if (BUG == 1 && n == 0) continue;
    ft_thread_cooperate();
  }
}
static void answers(void *unused) {
  (void)unused;
  for (;;) {
    ft_thread_await(e);
    if (BUG != 2) ft_thread_cooperate();
  }
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  e = ft_event_create(s);
  ft_thread_create(s, adds, 0, 0);
  ft_thread_create(s, answers, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
