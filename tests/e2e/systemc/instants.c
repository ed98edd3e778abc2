// SystemC: two processes wake each other for ever, and time passes in every round. In the twins it does not: -DBUG=1: an
// evaluation never ends, because they notify at once; -DBUG=2: each delta cycle has a next one. A program that starts
// delta cycle after delta cycle itself (-DSTEPS) is right: main gets its turn.
// args: --property no-endless-instant
// expect: true
// states: 6
// run: --property no-endless-instant --order all => true states=10
// run: --property no-endless-instant --order any => true states=7
// run: --property no-endless-instant -- -DBUG=1 => false(no-endless-instant) states=6
// run: --property no-endless-instant -- -DBUG=2 => false(no-endless-instant) states=6
// run: --property no-endless-instant --order all -- -DBUG=1 => false(no-endless-instant) states=7
// run: --property no-endless-instant --order any -- -DBUG=2 => false(no-endless-instant) states=7
// run: --property no-endless-instant -- -DBUG=2 -DSTEPS => true states=9
// run: --property no-endless-instant --engine esst => true states=6
// run: --property no-endless-instant --engine esst --order any => true states=8
// run: --property no-endless-instant --engine esst -- -DBUG=1 => false(no-endless-instant) states=6
// run: --property no-endless-instant --engine esst --order any -- -DBUG=2 => false(no-endless-instant) states=8
// run: --property no-endless-instant --engine esst -- -DBUG=2 -DSTEPS => true states=11
#include <sysc.h>
#ifndef BUG
#define BUG 0
#endif
static sysc_event a, b;

static void one(void *u) {
  sysc_wait_time(1);
  for (;;) {
    if (BUG == 1)
      sysc_notify_now(b);
    else
      sysc_notify(b, BUG == 2 ? 0 : 1);
    sysc_wait_event(a);
  }
}
static void two(void *u) {
  for (;;) {
    sysc_wait_event(b);
    if (BUG == 1)
      sysc_notify_now(a);
    else
      sysc_notify(a, 0);
  }
}
int main(void) {
  a = sysc_event_new();
  b = sysc_event_new();
  sysc_thread(one, 0);
  sysc_thread(two, 0);
#ifdef STEPS
  sysc_start(1);
  for (;;) sysc_start(0);
#endif
  sysc_start_all();
  return 0;
}
