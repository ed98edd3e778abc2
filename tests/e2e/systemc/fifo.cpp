// SystemC: a producer and a consumer in C++, with a fifo, ports, a clock and signals, as the header of proviso declares them.
// expect: true
// states: 66
// args: --engine explicit
// run: --order any => true states=70
// run: --order accellera => true states=66
// run: -- -DWRONG=1 => false(unreach-call) states=8
// run: -- -DWRONG=2 => false(unreach-call) states=30
// run: -- -DWRONG=3 => false(unreach-call) states=66
#include <systemc.h>
#ifndef WRONG
#  define WRONG 0
#endif
extern "C" void reach_error();

SC_MODULE(producer) {
  sc_fifo_out<int> out;
  sc_in<bool> clk;
  SC_CTOR(producer) : out("out"), clk("clk") {
    SC_THREAD(run);
    sensitive << clk.pos();
  }
  void run() {
    for (int i = 0; i < 4; i++) {
      wait();
      out.write(i);
    }
  }
};
SC_MODULE(consumer) {
  sc_fifo_in<int> in;
  sc_out<int> sum;
  SC_CTOR(consumer) {
    SC_THREAD(run);
  }
  void run() {
    for (int i = 0; i < 4; i++) {
      int value = in.read();
      if (value != i) reach_error();
      if (sc_time_stamp() != sc_time(10 * i + (WRONG == 1 ? 10 : 0), SC_NS)) reach_error();
      sum.write(sum.read() + value);
    }
  }
};
struct watcher : sc_module {
  sc_in<int> in;
  int last, changes;
  SC_HAS_PROCESS(watcher);
  watcher(sc_module_name name) : sc_module(name), last(0), changes(0) {
    SC_METHOD(look);
    sensitive << in;
    dont_initialize();
  }
  void look() {
    if (in.read() <= last) reach_error();
    last = in;
    changes++;
  }
};
int sc_main(int, char *[]) {
  sc_clock clk("clk", 10, SC_NS);
  sc_fifo<int> fifo("fifo", 2);
  sc_signal<int> sum("sum");
  producer p("p");
  consumer c("c");
  watcher w("w");
  p.out(fifo);
  p.clk(clk);
  c.in(fifo);
  c.sum(sum);
  w.in(sum);
  sc_start(WRONG == 2 ? 25 : 100, SC_NS);
  if (sum.read() != 6 || w.last != 6) reach_error();
  if (w.changes != (WRONG == 3 ? 4 : 3)) reach_error();
  cout << "sum " << sum << " at " << sc_time_stamp() << endl;
  return 0;
}
