// SystemC: who may write a signal. With SC_MANY_WRITERS two processes may, but not in one evaluation phase; that ends the program.
// args: --property unreach-call
// expect: true
// run: --property unreach-call -- -DPOLICY=SC_MANY_WRITERS -DTOGETHER => true
// run: --property unreach-call -- -DPOLICY=SC_MANY_WRITERS => false(unreach-call)
// run: --property unreach-call -- -DPOLICY=SC_UNCHECKED_WRITERS -DTOGETHER => false(unreach-call)
// run: --property unreach-call --order any -- -DPOLICY=SC_MANY_WRITERS -DTOGETHER => true
// run: --property unreach-call --engine esst -- -DPOLICY=SC_MANY_WRITERS -DNEVER=3 => true
// run: --property unreach-call --engine esst -- -DPOLICY=SC_MANY_WRITERS => false(unreach-call)
// run: -- -DPOLICY=SC_MANY_WRITERS -DNEVER=3 => true
// run: -- -DPOLICY=SC_MANY_WRITERS -DNEVER=3 -DTOGETHER => false(def-behavior)
#include <cassert>
#include <systemc>
using namespace sc_core;
#ifndef POLICY
#define POLICY SC_ONE_WRITER
#endif
#ifndef NEVER
#define NEVER 2
#endif

struct Top : sc_module {
  sc_signal<int, POLICY> signal;
  SC_CTOR(Top) {
    SC_METHOD(writes);
    SC_THREAD(writes_later);
  }
  void writes() { signal.write(0); /* nothing changes */ }
  void writes_later() {
#ifndef TOGETHER
    wait(SC_ZERO_TIME);
#endif
    signal.write(2);
  }
};

int sc_main(int, char *[]) {
  Top top("top");
  sc_start(1, SC_NS);
  assert(top.signal.read() != NEVER);
  return 0;
}
