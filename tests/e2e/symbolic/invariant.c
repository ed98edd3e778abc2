// The invariants of a proof that was checked are listed.
// expect: true
// args: --engine predicate --property unreach-call --check-proof
// message: Proof: checked; invariants:
// message: tests/e2e/symbolic/invariant.c:16 in main: y == x
// run: --engine value --property unreach-call => true
// run: --engine auto --property unreach-call --check-proof => true
// run: --engine predicate --property unreach-call -- -DBUG => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned x = 0, y = 0;
#ifdef BUG
  y = __VERIFIER_nondet_int() == 5;
#endif
  while (__VERIFIER_nondet_int()) {
    if (x < 10) x++, y++;
  }
  if (x != y) reach_error();
}
