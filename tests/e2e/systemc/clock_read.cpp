// A model without an end that reads the time in each round. With the clock in its state it has no two equal states.
// Engine esst forgets the clock first: then a call that reads it has any result.
//
// expect: true
// run: --engine esst => true states=18
// run: --engine esst -- -DDELTAS => true states=17
// run: --engine esst -- -DBUG=1 => false(unreach-call) states=23
// run: --engine esst -- -DBUG=2 => false(unreach-call) states=14
// run: --engine esst -- -DSHORT => true states=111
#include <systemc.h>
extern "C" void reach_error(void);
SC_MODULE(clocked) {
  sc_event turn;
  sc_time last;
  int open = 0, rounds = 0;
  void one() {
    while (true) {
      last = sc_time_stamp();
#ifdef DELTAS
      if (sc_delta_count() == 12345678) last = SC_ZERO_TIME;
#endif
      if (open) reach_error();
      open = 1;
      turn.notify(1, SC_NS);
      wait(2, SC_NS);
#if BUG == 1
      if (sc_time_stamp() > sc_time(7, SC_NS)) reach_error(); /* depends on the exact time */
#endif
#ifdef SHORT
      if (++rounds == 3) { /* this, too */
        if (sc_time_stamp() != sc_time(6, SC_NS)) reach_error();
        sc_stop();
      }
#endif
    }
  }
  void two() {
    while (true) {
      wait(turn);
#if BUG != 2
      open = 0;
#endif
    }
  }
  SC_CTOR(clocked) {
    SC_THREAD(one);
    SC_THREAD(two);
  }
};
int sc_main(int, char **) {
  clocked c("c");
  sc_start();
  return 0;
}
