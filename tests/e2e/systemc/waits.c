// SystemC: what a thread waits for: one of several events, all of them, static sensitivity, time, each with a time-out.
// expect: true
// states: 23
// args: --engine explicit
// run: --order any => true states=24
// run: -- -DWRONG=1 => false(unreach-call) states=8
// run: -- -DWRONG=2 => false(unreach-call) states=11
// run: -- -DWRONG=3 => false(unreach-call) states=20
#include <assert.h>
#include <sysc.h>
#ifndef WRONG
#define WRONG 0
#endif

static sysc_event e[3];
static int step;

static void waiter(void *u) {
  sysc_wait_any(2, e); /* at 1 */
  assert(sysc_now() == 1);
  step = 1;
  sysc_wait_all(2, e); /* at 2 and 3 */
  assert(sysc_now() == (WRONG == 1 ? 2 : 3));
  step = 2;
  assert(sysc_wait_any_for(3, e, 2) == 1); /* nothing until 5 */
  assert(sysc_now() == 5);
  assert(sysc_wait_event_for(e[2], 5) == (WRONG == 2)); /* at 8 */
  assert(sysc_now() == 8);
  assert(sysc_wait_all_for(2, e, 10) == 1); /* only one of them */
  assert(sysc_now() == 18);
  sysc_wait(); /* static: e[2] at 20 */
  assert(sysc_now() == 20);
  sysc_wait_n(3);
  assert(sysc_now() == (WRONG == 3 ? 21 : 23));
  step = 3;
}
static void driver(void *u) {
  sysc_wait_time(1);
  sysc_notify_now(e[1]);
  sysc_wait_time(1);
  sysc_notify(e[0], 0);
  sysc_wait_time(1);
  sysc_notify(e[1], 0);
  sysc_wait_time(5);
  sysc_notify(e[2], 0);
  sysc_wait_time(2);
  sysc_notify(e[0], 0);
  sysc_notify(e[0], 1);
  sysc_wait_time(10);
  for (int i = 0; i < 4; i++) {
    sysc_notify_now(e[2]);
    sysc_wait_time(1);
  }
}
int main(void) {
  for (int i = 0; i < 3; i++) e[i] = sysc_event_new();
  sysc_process p = sysc_thread(waiter, 0);
  sysc_sensitive(p, e[2]);
  sysc_thread(driver, 0);
  sysc_start(22);
  assert(step == 2 && sysc_now() == 22);
  sysc_start(100);
  assert(step == 3 && sysc_now() == 122);
  sysc_start_all();
  assert(sysc_now() == 122);
  return 0;
}
