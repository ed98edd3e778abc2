// Modules that are made with `new` and bound through interfaces: their pointers to each other are in arrays, which stay
// known where they were not written; a pointer into the middle of an object (an interface) is known to be in it.
//
// expect: true
// run: --engine esst --property unreach-call => true states=56
// run: --engine esst --property unreach-call -- -DBUG => false(unreach-call) states=36
#include <systemc.h>
extern "C" void reach_error(void);
extern "C" int __VERIFIER_nondet_int(void);
struct sink_if : virtual public sc_interface {
  virtual void put(int v) = 0;
};
struct source_if : virtual public sc_interface {
  virtual int get() = 0;
};
struct channel : sc_channel, sink_if, source_if {
  int held = 0;
  bool full = false;
  sc_event came, went;
  channel(sc_module_name name) : sc_channel(name) {}
  void put(int v) {
    if (full) wait(went);
    held = v;
    full = true;
    came.notify(SC_ZERO_TIME);
  }
  int get() {
    if (!full) wait(came);
    full = false;
    went.notify(SC_ZERO_TIME);
    return held;
  }
};
SC_MODULE(sender) {
  sc_port<sink_if> out;
  SC_CTOR(sender) {
    SC_THREAD(run);
  }
  void run() {
    while (true) {
      int v = __VERIFIER_nondet_int();
#ifndef BUG
      if (v < 0) continue;
#endif
      out->put(v);
    }
  }
};
SC_MODULE(receiver) {
  sc_port<source_if> in;
  SC_CTOR(receiver) {
    SC_THREAD(run);
  }
  void run() {
    while (true)
      if (in->get() < 0) reach_error();
  }
};
SC_MODULE(top) {
  channel *between;
  sender *from;
  receiver *to;
  SC_CTOR(top) {
    between = new channel("between");
    from = new sender("from");
    to = new receiver("to");
    from->out(*between);
    to->in(*between);
  }
};
int sc_main(int, char **) {
  top all("all");
  sc_start();
  return 0;
}
