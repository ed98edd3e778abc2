// Sums of multiples that wrap around stay multiples of powers of two: rests of division.
// expect: true
// args: --engine kinduction --integers bitvector --property unreach-call
// run: --engine kinduction --integers bitvector --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine kinduction --integers bitvector --property unreach-call -- -DLARGE => true
// run: --engine kinduction --integers bitvector --property unreach-call -- -DLARGE -DBUG => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef LARGE /* powers of two that are constants of the program */
enum { UNIT = 1 << 20 };
#else
enum { UNIT = 1 };
#endif

int main(void) {
  unsigned x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    x += 4 * UNIT * (unsigned)__VERIFIER_nondet_int();
    y += 8 * UNIT * (unsigned)__VERIFIER_nondet_int();
#ifdef BUG
    x += 2 * UNIT;
#endif
    if (2 * x + y == 4 * UNIT) reach_error();
  }
}
