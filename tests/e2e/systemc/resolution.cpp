// SystemC: times are numbers of picoseconds here. Another resolution is a proviso, not an end of the program: what comes
// after it is not examined. A wrong one ends the program with a report (-DVALUE=15), and so does a second one (-DTWICE).
// args: --property unreach-call
// expect: conditional
// run: --property unreach-call -- -DUNIT=SC_PS => false(unreach-call)
// run: --property unreach-call -- -DUNIT=SC_PS -DTWICE => true
// run: --property unreach-call -- -DVALUE=15 => true
#include <cassert>
#include <systemc>
#ifndef VALUE
#define VALUE 1
#endif
#ifndef UNIT
#define UNIT SC_NS
#endif
int sc_main(int, char *[]) {
  sc_core::sc_set_time_resolution(VALUE, sc_core::UNIT);
#ifdef TWICE
  sc_core::sc_set_time_resolution(VALUE, sc_core::UNIT);
#endif
  assert(0);
  return 0;
}
