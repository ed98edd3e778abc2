// Figure 3 of "Conditional model checking" (FSE 2012): the loop is for predicates, the product for values. (Here
// predicates prove both: a product of known values is a value.)
// expect: true
// args: --property unreach-call --plan 'value(time=1s); predicate'
#include <assert.h>

extern int nondet_int(void);

int main(void) {
  int p = nondet_int();
  if (p) {
    int i;
    for (i = 0; i < 1000000; i++);
    assert(i >= 1000000);
  } else {
    int x = 5, y = 6, r = x * y;
    assert(r >= x);
  }
  return 0;
}
