// SystemC: processes that wait for ever are the usual end of a simulation, not a deadlock: sc_main goes on. -DBUG: it counts
// on what they would have done.
// expect: true
// states: 3
// run: --property no-deadlock --engine esst => true
// run: --property no-deadlock --order any => true
// run: -- -DBUG => false(unreach-call)
// run: --property unreach-call --engine esst -- -DBUG => false(unreach-call)
#include <assert.h>
#include <sysc.h>
static sysc_event e;
static int done;
static void waits(void *u) {
  sysc_wait_event(e);
  done = 1;
}
int main(void) {
  e = sysc_event_new();
  sysc_thread(waits, 0);
  sysc_start_all();
#ifdef BUG
  assert(done);
#else
  assert(!done);
#endif
  return 0;
}
