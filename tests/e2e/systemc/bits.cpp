// SystemC: bits and parts of signed and unsigned integers are assigned to and read; an index out of bounds is an error.
// -DWRONG=N: the N-th expectation is wrong.
// args: --property unreach-call
// expect: true
// run: --property unreach-call -- -DWRONG=1 => false(unreach-call)
// run: --property unreach-call -- -DWRONG=2 => false(unreach-call)
// run: --property unreach-call -- -DWRONG=3 => false(unreach-call)
// run: --property unreach-call -- -DWRONG=4 => false(unreach-call)
// run: => false(def-behavior)
#include <cassert>
#include <systemc>
using namespace sc_core;
using namespace sc_dt;
#ifndef WRONG
#define WRONG 0
#endif

extern "C" unsigned char __VERIFIER_nondet_uchar();

struct Nibble : sc_module {
  sc_signal<sc_uint<4>> high;
  sc_signal<sc_int<4>> low;
  sc_int<8> byte;
  void splits() {
    high = byte.range(7, 4);
    low.write(byte(3, 0));
  }
  Nibble(sc_module_name name, int value) : sc_module(name), byte(value) {
    SC_HAS_PROCESS(Nibble);
    SC_METHOD(splits);
  }
};

int sc_main(int, char *[]) {
  unsigned char input = __VERIFIER_nondet_uchar();
  sc_int<8> from = input, to;
  for (int i = 0; i < 8; i++) to[i] = from[WRONG == 1 ? 0 : 7 - i];
  for (int i = 0; i < 8; i++) assert(to[7 - i] == (input >> i & 1));
  to[7] = true; /* the sign */
  assert(to < 0 && to[7].to_bool() && ~to[7] == (WRONG == 2));
  to = 0;
  to.range(7, 4) = from.range(3, 0);
  to(2, 0) = sc_uint<3>(5);
  to[0] ^= true;
  assert(to == (signed char)((input & 15) << 4 | (WRONG == 3 ? 5 : 4)));

  sc_uint<4> copy = from.range(7, 4), other = from; /* the lower bits */
  const sc_uint<4> &same = other;
  assert(copy == input >> 4 && other == (input & 15) && same[3] == from[3] && ~same[3] != same[3]);

  Nibble nibble("nibble", 0xa5);
  sc_start(1, SC_NS);
  assert(nibble.high.read() == 10 && nibble.low.read() == 5);

  int index = input & 15;
  other[index] = true; /* from 4 on this ends the program */
  assert(index < (WRONG == 4 ? 3 : 4) && other[index]);
  return 0;
}
