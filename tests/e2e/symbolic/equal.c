// Two unsigned counters that stay equal, without a bound on the rounds.
// run: --engine kinduction --property unreach-call => true
// run: --engine predicate --property unreach-call => true
// run: --engine kinduction --property unreach-call --integers bitvector => true
// run: --engine kinduction --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine bmc --property unreach-call --unwind 8 => conditional
// run: --engine bmc --property unreach-call -- -DBUG => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (x == 3) {
      x = 0;
#ifndef BUG
      y = 0;
#endif
    } else {
      x++;
      y++;
    }
    if (x != y) reach_error();
  }
}
