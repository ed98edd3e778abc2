// Figures 2 (-DLOOP) and 3 of "Conditional model checking" (FSE 2012): a loop to 10,000 before an assertion that fails, a
// loop to 1,000,000 beside a product of variables.
// expect: true
// args: --property unreach-call
// proof: none
// run: --property unreach-call -- -DLOOP => false(unreach-call)
// run: --property unreach-call -- -DLOOP -DFIX => true
// run: --engine kinduction --property unreach-call -- -DLOOP -DFIX => true
// run: --engine composite --property unreach-call => true
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
#ifdef LOOP
  int x = 1;
  if (__VERIFIER_nondet_int()) {
    while (x < 10000) x++;
    assert(x == 10000);
  } else {
    x = 0;
  }
#ifdef FIX
  assert(x == 0 || x == 10000);
#else
  assert(x != 0);
#endif
#else
  if (__VERIFIER_nondet_int()) {
    int i;
    for (i = 0; i < 1000000; i++) continue;
    assert(i >= 1000000);
  } else {
    int x = 5, y = 6, r = x * y;
    assert(r >= x);
  }
#endif
  return 0;
}
