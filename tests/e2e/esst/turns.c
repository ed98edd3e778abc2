// Processes that all run in one evaluation and only write signals of their own: each signal is a cell of one array, but with known
// addresses their blocks commute, and each of them may be explored alone. The copy is a delta cycle late. -DBUG: compares without
// that. -DWAKES: an immediate notification wakes the reader in the same evaluation, so the order matters.
// args: --engine esst --property unreach-call --order any
// expect: true
// states: 181
// run: --engine explicit --property unreach-call --order any => true states=126
// run: --engine esst --property unreach-call --order any --por none => true states=438
// run: --engine esst --property unreach-call --order any --por sleep => true states=220
// run: --engine esst --property unreach-call --order any --por persistent => true states=181
// run: --engine esst --property unreach-call --order any -- -DBUG => false(unreach-call) states=143
// run: --engine explicit --property unreach-call --order any -- -DBUG => false(unreach-call) states=18
// run: --engine esst --property unreach-call --order any -- -DWAKES => false(unreach-call) states=24
// run: --engine esst --property unreach-call --order any --por none -- -DWAKES => false(unreach-call) states=20
// run: --engine explicit --property unreach-call --order any -- -DWAKES => false(unreach-call) states=17
#include <sysc.h>
extern void reach_error(void);

static sysc_event rises, now;
static sysc_signal first, second, third;
static int seen;

static void count(void *unused) {
  (void)unused;
  for (int i = 1;; i = i == 2 ? 1 : i + 1) {
    sysc_wait_event(rises);
    sysc_write(first, i);
#ifdef WAKES
    if (i == 2) sysc_notify_now(now);
#endif
  }
}
static void copy(void *unused) {
  (void)unused;
  for (;;) {
    sysc_wait_event(rises);
    sysc_write(second, sysc_read(first));
  }
}
static void copy_again(void *unused) {
  (void)unused;
  for (;;) {
    sysc_wait_event(rises);
    sysc_write(third, sysc_read(second));
#ifdef WAKES
    seen = sysc_read(first);
#endif
  }
}
static void check(void *unused) {
  (void)unused;
#ifdef WAKES
  sysc_wait_event(now);
  if (seen) reach_error(); /* only if the thread before has run already */
  for (;;) sysc_wait_event(now);
#else
  for (;;) {
    sysc_wait_event(rises);
#ifdef BUG
    if (sysc_read(first) != sysc_read(third)) reach_error();
#else
    if (sysc_read(first) && sysc_read(first) == sysc_read(second)) reach_error();
#endif
  }
#endif
}
static void clock(void *unused) {
  (void)unused;
  for (;; sysc_wait_time(1)) sysc_notify(rises, 0);
}

int main(void) {
  rises = sysc_event_new();
  now = sysc_event_new();
  first = sysc_signal_new(0);
  second = sysc_signal_new(0);
  third = sysc_signal_new(0);
  sysc_thread(count, 0);
  sysc_thread(copy, 0);
  sysc_thread(copy_again, 0);
  sysc_thread(check, 0);
  sysc_thread(clock, 0);
  sysc_start_all();
  return 0;
}
