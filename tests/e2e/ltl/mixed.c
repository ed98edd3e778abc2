// A formula beside other properties: each is answered for itself.
// args: --property no-deadlock,unreach-call --ltl '<> [] last' --ap 'last = x == 2'
// expect: true
// run: --property unreach-call --ltl '<> [] last' --ap 'last = x == 2' -- -DFAILS => false(unreach-call)
// run: --invariant 'x < 3' --ltl '<> [] last' --ap 'last = x == 2' => true
// run: --invariant 'x < 2' --ltl '<> [] last' --ap 'last = x == 2' => false(invariant)
// run: --engine dpor --ltl '<> [] last' --ap 'last = x == 2' => conditional
// run: --engine value --ltl '<> [] last' --ap 'last = x == 2' => conditional
#include <assert.h>

int x;

int main(void) {
  x = 1;
#ifdef FAILS
  assert(x == 2);
#endif
  x = 2;
  return 0;
}
