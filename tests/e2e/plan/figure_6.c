// Figures 3 and 6 of "Conditional model checking" (FSE 2012): predicates in linear arithmetic prove the loop, and give the
// product up. (Here the factors are inputs: of known factors these predicates know the product.) tests/automata.sh looks at
// the automaton.
// expect: conditional
// args: --property unreach-call --engine predicate --integers linear
// run: --property unreach-call --plan 'predicate(integers=linear); predicate(integers=bitvector)' => true
// run: --property unreach-call --plan 'predicate(integers=linear); predicate(integers=bitvector)' -- -DBUG => false(unreach-call)
#include <assert.h>

extern int nondet_int(void);
extern unsigned char nondet_uchar(void);

int main(void) {
  int p = nondet_int();
  if (p) {
    int i;
    for (i = 0; i < 1000000; i++);
    assert(i >= 1000000);
  } else {
    int x = nondet_uchar();
    int y = nondet_uchar() + 1;
    int r = x * y;
#ifdef BUG
    assert(r > x);
#else
    assert(r >= x);
#endif
  }
  return 0;
}
