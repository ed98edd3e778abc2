// SystemC: the interfaces of a port that is bound to another port take that one's place, bind is virtual, and the status is
// that of the standard. What elaboration or a signal refuses ends the program with a report (-DREFUSED=1: two processes write
// a signal with one writer, 2: two ports do, 3: an export is unbound, 4: an interface is bound twice, 5: too few interfaces): then the
// assertion at the end is not reached. -DREFUSED=6: a signal with unchecked writers accepts them, so it is reached, and fails.
// Such a report is an error where def-behavior is asked for.
// args: --property unreach-call
// expect: true
// states: 10
// run: --property unreach-call --order any => true states=15
// run: --property unreach-call -- -DWRONG=1 => false(unreach-call)
// run: --property unreach-call -- -DWRONG=2 => false(unreach-call)
// run: --property unreach-call -- -DWRONG=3 => false(unreach-call)
// run: --property unreach-call -- -DREFUSED=1 => true states=7
// run: --property unreach-call -- -DREFUSED=2 => true
// run: --property unreach-call -- -DREFUSED=3 => true
// run: --property unreach-call -- -DREFUSED=4 => true
// run: --property unreach-call -- -DREFUSED=5 => true
// run: --property unreach-call -- -DREFUSED=6 => false(unreach-call)
// run: => true
// run: -- -DREFUSED=1 => false(def-behavior)
// run: -- -DREFUSED=2 => false(def-behavior)
// run: -- -DREFUSED=3 => false(def-behavior)
// run: -- -DREFUSED=4 => false(def-behavior)
// run: -- -DREFUSED=5 => false(def-behavior)
#include <cassert>
#include <systemc>
using namespace sc_core;
#ifndef WRONG
#define WRONG 0
#endif
#ifndef REFUSED
#define REFUSED 0
#endif

struct Number : virtual sc_interface {
  virtual int get() = 0;
};
struct Constant : sc_module, Number {
  int value;
  Constant(sc_module_name name, int v) : sc_module(name), value(v) {}
  int get() { return value; }
};
struct Counts : sc_port<Number, 0> {
  int bound = 0;
  void bind(Number &n) {
    bound++;
    sc_port<Number, 0>::bind(n);
  }
};
struct Inner : sc_module {
  sc_port<Number, 3, SC_ALL_BOUND> in;
  void main() {
    assert(sc_get_status() == SC_RUNNING);
    assert(in.size() == 3 && in[0]->get() == 1 && in[1]->get() == 2);
    assert(in[2]->get() == (WRONG == 1 ? 2 : 3));
    wait(SC_ZERO_TIME);
    assert(sc_pending_activity_at_future_time() && !sc_pending_activity_at_current_time());
  }
  SC_CTOR(Inner) { SC_THREAD(main); }
};
struct Outer : sc_module {
  sc_port<Number, 2> in;
  Inner inner;
  Constant own;
  sc_export<Number> out;
  Outer(sc_module_name name) : sc_module(name), inner("inner"), own("own", 3) {
    inner.in(in); /* 1 and 2, although 3 is bound before them */
    if (REFUSED != 5) inner.in(own);
    if (REFUSED != 3) out(own);
  }
};
struct Writer : sc_module {
  sc_out<int> out;
  sc_signal<int, REFUSED == 6 ? SC_UNCHECKED_WRITERS : SC_ONE_WRITER> *shared = nullptr;
  void main() {
    wait(1, SC_NS);
    if (shared) shared->write(1);
    out.write(1);
  }
  SC_CTOR(Writer) { SC_THREAD(main); }
};

int sc_main(int, char *[]) {
  Constant one("one", 1), two("two", 2);
  Outer outer("outer");
  Counts counts;
  static_cast<sc_port<Number, 0> &>(counts).bind(one);
  outer.in(one);
  if (REFUSED == 4) outer.in(one);
  outer.in(two);
  sc_signal<int> a, b;
  sc_signal<int, REFUSED == 6 ? SC_UNCHECKED_WRITERS : SC_ONE_WRITER> c;
  Writer first("first"), second("second");
  first.out(a);
  if (REFUSED == 2)
    second.out(a);
  else
    second.out(b);
  if (REFUSED == 1 || REFUSED == 6) first.shared = second.shared = &c;
  assert(sc_get_status() == SC_ELABORATION && counts.bound == 1);
  sc_start(5, SC_NS);
  assert(sc_get_status() == (WRONG == 2 ? SC_RUNNING : SC_PAUSED));
  assert(outer.out->get() == 3 && a.read() == 1 && !sc_pending_activity());
  assert(sc_time_to_pending_activity() == sc_max_time() - sc_time_stamp());
  sc_stop();
  assert(sc_get_status() == (WRONG == 3 ? SC_PAUSED : SC_STOPPED));
  assert(!REFUSED);
  return 0;
}
