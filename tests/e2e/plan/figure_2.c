// Figure 2 of "Conditional model checking" (FSE 2012): a bound on the rounds of the loop leads to the error behind it.
// expect: false(unreach-call)
// args: --property unreach-call --plan 'bmc(unwind=2)'
// run: --property unreach-call --engine predicate => false(unreach-call)
// run: --property unreach-call --plan 'bmc(unwind=2)' -- -DFIXED => conditional
// run: --property unreach-call --plan 'bmc(unwind=2); predicate' -- -DFIXED => true
#include <assert.h>

extern int nondet_int(void);

int main(void) {
  int x = 1;
  if (nondet_int()) {
    while (x < 10000) x++;
    assert(x == 10000);
  } else {
#ifndef FIXED
    x = 0;
#endif
  }
  assert(x != 0);
}
