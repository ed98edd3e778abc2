// SystemC: which notification overrides which. A delta one stays; an earlier timed one stays; an immediate one cancels
// what is pending; and cancel.
// expect: true
// states: 19
// args: --engine explicit
// run: --order all => true states=34
// run: -- -DWRONG=1 => false(unreach-call) states=7
// run: -- -DWRONG=2 => false(unreach-call) states=10
// run: -- -DWRONG=3 => false(unreach-call) states=14
// run: -- -DWRONG=4 => false(unreach-call) states=17
#include <assert.h>
#include <sysc.h>
#ifndef WRONG
#define WRONG 0
#endif

static sysc_event e, never;
static int woken;

static void waiter(void *u) {
  for (;;) {
    sysc_wait_event(e);
    woken++;
  }
}
static void driver(void *u) {
  sysc_wait_time(1); /* the waiter waits */
  sysc_notify(e, 5);
  sysc_notify(e, 7); /* ignored */
  sysc_wait_time(6);
  assert(woken == 1);
  sysc_wait_time(5);
  assert(woken == (WRONG == 1 ? 2 : 1));
  sysc_notify(e, 5);
  sysc_notify(e, 2); /* sooner */
  sysc_wait_time(3);
  assert(woken == 2);
  sysc_wait_time(10);
  assert(woken == (WRONG == 2 ? 3 : 2));
  sysc_notify(e, 5);
  sysc_notify(e, 0); /* sooner */
  sysc_notify(e, 3); /* ignored */
  assert(woken == 2);
  sysc_wait_time(0);
  sysc_wait_time(0);
  assert(woken == 3);
  sysc_wait_time(10);
  assert(woken == (WRONG == 3 ? 4 : 3));
  sysc_notify(e, 5);
  sysc_cancel(e);
  sysc_wait_time(10);
  assert(woken == 3);
  sysc_notify(e, 0);
  assert(sysc_notify_now(e) == 0); /* cancels the other one */
  sysc_wait_time(10);
  assert(woken == (WRONG == 4 ? 5 : 4));
}
int main(void) {
  e = sysc_event_new();
  never = sysc_event_new();
  sysc_thread(waiter, 0);
  sysc_thread(driver, 0);
  sysc_start_all();
  assert(woken == 4);
  sysc_start(10);
  return 0;
}
