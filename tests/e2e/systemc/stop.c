// SystemC: sc_stop ends the simulation after the delta cycle, with its updates, or at once (-DAT_ONCE, SC_STOP_IMMEDIATE): when the
// running process waits. In another order the other process has run before. -DWRONG: expects what the other mode does.
// expect: true
// states: 5
// args: --engine explicit
// run: --order any => true states=6
// run: -- -DWRONG => false(unreach-call) states=5
// run: -- -DAT_ONCE => true states=3
// run: -- -DAT_ONCE -DWRONG => false(unreach-call) states=3
// run: --order any -- -DAT_ONCE => false(unreach-call) states=5
#include <assert.h>
#include <sysc.h>
#ifdef WRONG
#define WAS_WRONG 1
#else
#define WAS_WRONG 0
#endif

static sysc_signal s;
static int after, ran;

static void stops(void *u) {
  sysc_write(s, 1);
#ifdef AT_ONCE
  sysc_stop_at_once();
#else
  sysc_stop();
#endif
  after = 1;
  sysc_wait_time(1);
  assert(0);
}
static void other(void *u) {
  ran = 1;
}
int main(void) {
  s = sysc_signal_new(0);
  sysc_thread(stops, 0);
  sysc_thread(other, 0);
  sysc_start(5);
  assert(after && sysc_status() == 2);
#ifdef AT_ONCE
  assert(ran == WAS_WRONG && sysc_read(s) == WAS_WRONG);
#else
  assert(ran != WAS_WRONG && sysc_read(s) != WAS_WRONG);
#endif
  sysc_start(5);
  return 0;
}
