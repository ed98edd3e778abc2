// SystemC: methods, with static sensitivity, next_trigger and dont_initialize; signals change in the update phase.
// expect: true
// states: 14
// args: --engine explicit
// run: --order any => true states=16
// run: --order all => true states=41
// run: -- -DWRONG=1 => false(unreach-call) states=3
// run: -- -DWRONG=2 => false(unreach-call) states=8
// run: -- -DWRONG=3 => false(unreach-call) states=14
#include <assert.h>
#include <sysc.h>
#ifndef WRONG
#define WRONG 0
#endif

static sysc_signal s;
static sysc_event e;
static int seen, runs, timed;

static void watch(void *u) { /* not before the first change */
  assert(sysc_read(s) == seen + 1);
  seen++;
}
static void sometimes(void *u) {
  runs++;
  if (runs == 1) sysc_next_time(3);
  if (runs == 2) sysc_next_event_for(e, 4);
  if (runs == 3) timed = sysc_now() == 7;
}
static void write(void *u) {
  sysc_write(s, 5);
  sysc_write(s, 1); /* the last one counts */
  assert(sysc_read(s) == (WRONG == 1));
  sysc_wait_event(sysc_changed(s));
  assert(sysc_read(s) == 1);
  sysc_write(s, 1); /* no change */
  assert(sysc_wait_event_for(sysc_changed(s), 1) == (WRONG != 2));
  sysc_write(s, 2);
  sysc_wait_time(1);
}
int main(void) {
  s = sysc_signal_new(0);
  e = sysc_event_new();
  sysc_process w = sysc_method(watch, 0);
  sysc_sensitive(w, sysc_changed(s));
  sysc_dont_initialize(w);
  sysc_process m = sysc_method(sometimes, 0);
  sysc_sensitive(m, sysc_changed(s));
  sysc_thread(write, 0);
  sysc_start_all();
  assert(seen == 2 && runs == (WRONG == 3 ? 5 : 3) && timed);
  return 0;
}
