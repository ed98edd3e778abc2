// SystemC: integers joined by commas are concatenations, not the comma operator; a process that is sensitive to an event of
// a port waits for that of each interface. -DWRONG=N: the N-th expectation is that of a program without these.
// args: --property unreach-call
// expect: true
// run: --property unreach-call -- -DWRONG=1 => false(unreach-call)
// run: --property unreach-call -- -DWRONG=2 => false(unreach-call)
// run: --property unreach-call -- -DWRONG=3 => false(unreach-call)
#include <cassert>
#include <systemc>
using namespace sc_core;
using namespace sc_dt;
#ifndef WRONG
#define WRONG 0
#endif

struct Rings : virtual sc_interface {
  virtual const sc_event &rung() const = 0;
};
struct Bell : sc_module, Rings {
  sc_event event;
  Bell(sc_module_name name) : sc_module(name) {}
  const sc_event &rung() const { return event; }
};
struct Listener : sc_module {
  struct Port : sc_port<Rings, 0> {
    sc_event_finder_t<Rings> finder;
    Port() : finder(*this, &Rings::rung) {}
  } in;
  int heard;
  void hears() { heard++; }
  SC_CTOR(Listener) : heard(0) {
    SC_METHOD(hears);
    dont_initialize();
    sensitive << in.finder;
  }
};

int sc_main(int, char *[]) {
  sc_uint<8> a = 0xa5, b;
  sc_uint<4> high, low;
  const sc_int<4> negative = -3;
  (high, low) = a;
  assert(high == 0xa && low == 5);
  b = (low, high);
  assert(b == (WRONG == 1 ? 0x0a : 0x5a));
  (high[0], low.range(2, 1)) = 6; /* 1 and 2 */
  assert(high == 0xb && low == 5);
  b = (negative, true, negative[0], low(1, 0));
  assert(b == (WRONG == 2 ? 1 : 0xdd));
  assert(concat(low, false) == 10);

  Bell first("first"), second("second");
  Listener listener("listener");
  listener.in(first);
  listener.in(second);
  first.event.notify(1, SC_NS);
  second.event.notify(2, SC_NS);
  sc_start(5, SC_NS);
  assert(listener.heard == (WRONG == 3 ? 1 : 2));
  return 0;
}
