// SystemC: a clocked thread runs at rising edges only, and not before the first one; lists of events have each event once;
// ports bound by position.
// expect: true
// states: 33
// args: --engine explicit
// run: --order any => true states=35
// run: -- -DWRONG=1 => false(unreach-call) states=5
// run: -- -DWRONG=2 => false(unreach-call) states=10
#include <systemc.h>
#ifndef WRONG
#  define WRONG 0
#endif
extern "C" void reach_error();

SC_MODULE(counter) {
  sc_in<bool> clk;
  sc_out<sc_uint<2>> out;
  int runs;
  SC_CTOR(counter) : runs(0) {
    SC_CTHREAD(run, clk);
  }
  void run() {
    for (;;) {
      if (sc_time_stamp() != sc_time(10 * runs + (WRONG == 1 ? 5 : 0), SC_NS)) reach_error();
      runs++;
      out = out.read() + 1;
      wait();
    }
  }
};
SC_MODULE(lists) {
  sc_event a, b;
  SC_CTOR(lists) {
    SC_THREAD(run);
  }
  void run() {
    sc_event_and_list both = a & b;
    both &= b;
    if (both.size() != 2) reach_error();
    a.notify(3, SC_NS);
    b.notify(5, SC_NS);
    wait(both);
    if (sc_time_stamp() != sc_time(5, SC_NS)) reach_error();
    a.notify(3, SC_NS);
    wait(a | b);
    if (sc_time_stamp() != sc_time(WRONG == 2 ? 5 : 8, SC_NS)) reach_error();
  }
};
int sc_main(int, char *[]) {
  sc_clock clk("clk", 10, SC_NS);
  sc_signal<sc_uint<2>> out("out");
  counter c("c");
  c(clk, out);
  lists l("l");
  sc_start(45, SC_NS);
  if (c.runs != 5 || out.read() != 1) reach_error();
  return 0;
}
