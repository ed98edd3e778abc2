// SystemC: with SC_EXIT_ON_STARVATION the time that is left does not pass if nothing happens in it, though something will later.
// Processes and sensitivity cannot be made while the simulation runs, and wait(n) needs a number: these are errors.
// -DWRONG=N: the N-th expectation is wrong.
// args: --property unreach-call
// expect: true
// run: --property unreach-call -- -DWRONG=1 => false(unreach-call)
// run: --property unreach-call -- -DWRONG=2 => false(unreach-call)
// run: --property unreach-call -- -DLATE=1 => true
// run: --property unreach-call -- -DLATE=2 => true
// run: --property unreach-call -- -DLATE=3 => true
// run: --property unreach-call -- -DLATE=4 => true
// run: --property unreach-call -- -DLATE=5 => false(unreach-call)
// run: => true
// run: -- -DLATE=1 => false(def-behavior)
// run: -- -DLATE=3 => false(def-behavior)
// run: -- -DLATE=4 => false(def-behavior)
#include <cassert>
#include <systemc>
using namespace sc_core;
#ifndef WRONG
#define WRONG 0
#endif
#ifndef LATE
#define LATE 0
#endif

struct Top : sc_module {
  sc_event rings;
  SC_CTOR(Top) { SC_THREAD(runs); }
  void another() {}
  void runs() {
    wait(rings);
    if (LATE == 1) SC_METHOD(another);
    if (LATE == 2) SC_THREAD(another);
    if (LATE == 3) sensitive << rings;
    if (LATE == 4) wait(LATE - 4);
    assert(LATE == 0);
  }
};

int sc_main(int, char *[]) {
  Top top("top");
  top.rings.notify(50, SC_NS);
  sc_start(20, SC_NS);
  assert(sc_time_stamp() == sc_time(20, SC_NS));
  sc_start(20, SC_NS, SC_EXIT_ON_STARVATION);
  assert(sc_time_stamp() == sc_time(WRONG == 1 ? 40 : 20, SC_NS));
  sc_start(40, SC_NS, SC_EXIT_ON_STARVATION);
  assert(sc_time_stamp() == sc_time(WRONG == 2 ? 60 : 50, SC_NS));
  return 0;
}
