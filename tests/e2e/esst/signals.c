// Values of signals that follow from each other: the sum goes round, and a delta cycle later twice the sum is compared with the sum.
// The library keeps signals in a table, by numbers that are known in every state; so each is a cell of its own, and predicates
// speak of two cells. As one array, interpolants were sums over reads of it, and there were ten times the states. -DBUG: in the reader,
// one of the two is late.
// args: --engine esst --property unreach-call --order any
// expect: true
// states: 217
// run: --engine esst --property unreach-call --order creation => true states=217
// run: --engine esst --property unreach-call --order any -- -DBUG => false(unreach-call) states=80
// run: --engine esst --property unreach-call --order creation -- -DBUG => false(unreach-call) states=80
#include <sysc.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static sysc_event rises;
static sysc_signal in, sum, once, twice;

static void generate(void *unused) {
  (void)unused;
  for (;; sysc_wait_event(rises)) sysc_write(in, __VERIFIER_nondet_int());
}
static void add(void *unused) {
  (void)unused;
  for (;; sysc_wait_event(rises)) sysc_write(sum, (int)((unsigned)sysc_read(in) + 7u));
}
static void twofold(void *unused) {
  (void)unused;
  for (;; sysc_wait_event(rises)) {
    unsigned a = (unsigned)sysc_read(sum);
    sysc_write(once, (int)a);
    sysc_write(twice, (int)(a + a));
  }
}
static void compare(void *unused) {
  (void)unused;
  for (;; sysc_wait_event(rises)) {
#ifdef BUG
    unsigned a = (unsigned)sysc_read(sum);
#else
    unsigned a = (unsigned)sysc_read(once);
#endif
    if ((unsigned)sysc_read(twice) != a + a) reach_error();
  }
}
static void clock(void *unused) {
  (void)unused;
  for (;; sysc_wait_time(1)) sysc_notify(rises, 0);
}

int main(void) {
  rises = sysc_event_new();
  in = sysc_signal_new(0);
  sum = sysc_signal_new(0);
  once = sysc_signal_new(0);
  twice = sysc_signal_new(0);
  sysc_thread(generate, 0);
  sysc_thread(add, 0);
  sysc_thread(twofold, 0);
  sysc_thread(compare, 0);
  sysc_thread(clock, 0);
  sysc_start_all();
  return 0;
}
