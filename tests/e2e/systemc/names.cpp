// Names of objects, which are made when somebody asks for them: those without a name are numbered in their module by what they are;
// sc_gen_unique_name shares these numbers. Several interfaces of one port, and ports that are bound to such a port, keep their order.
// args: --property unreach-call
// expect: true
// run: --property valid-deref,valid-free,def-behavior => true
// run: --property unreach-call -- -DWRONG=1 => false(unreach-call)
// run: --property unreach-call -- -DWRONG=2 => false(unreach-call)
// run: --property unreach-call -- -DWRONG=3 => false(unreach-call)
#include <systemc>
#include <cstring>
using namespace sc_core;
extern "C" void reach_error(void);
#ifndef WRONG
#define WRONG 0
#endif

static void is(const char *name, const char *wanted) {
  if (std::strcmp(name, wanted)) reach_error();
}

struct get_if : virtual sc_interface {
  virtual int get() = 0;
};
struct number : sc_module, get_if {
  int value;
  number(sc_module_name name, int v) : sc_module(name), value(v) {}
  int get() { return value; }
};

struct inner : sc_module {
  sc_port<get_if, 0> in, other;
  sc_signal<int> one, two;
  inner(sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(inner);
    SC_THREAD(run);
  }
  void run() {
    is(sc_get_current_process_handle().name(), "top.inside.run");
    if (in.size() != 3 || in[0]->get() != 1 || in[1]->get() != 2 || in[2]->get() != 3 + (WRONG == 3)) reach_error();
    if (other.size() != 1 || other->get() != 3) reach_error();
  }
};
struct outer : sc_module {
  number a, b, c;
  sc_port<get_if, 0> both;
  inner inside;
  outer(sc_module_name name) : sc_module(name), a("a", 1), b("b", 2), c("c", 3), inside("inside") {
    both(a);
    both(b);
    inside.in(both);
    inside.in(c);
    inside.other(c);
    is(sc_gen_unique_name("port"), "port_1");
    is(sc_gen_unique_name("thing"), "thing_0");
    is(sc_gen_unique_name("thing"), "thing_1");
  }
};

int sc_main(int, char *[]) {
  outer top("top");
  is(top.inside.name(), "top.inside");
  is(top.inside.basename(), "inside");
  is(top.inside.in.name(), "top.inside.port_0");
  is(top.inside.other.basename(), WRONG == 1 ? "port_0" : "port_1");
  is(top.inside.one.name(), "top.inside.signal_0");
  is(top.inside.two.name(), WRONG == 2 ? "top.signal_1" : "top.inside.signal_1");
  is(top.both.name(), "top.port_0");
  sc_signal<bool> alone;
  is(alone.name(), "signal_0");
  sc_start();
  return 0;
}
