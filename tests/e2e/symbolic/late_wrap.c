// A signed sum that wraps around only after very many rounds: no step of an induction may take for
// granted that it does not because another step did not ask.
// proof: none
// run: --engine kinduction --property unreach-call --limit states=3000 => conditional
// run: --engine predicate --property unreach-call -- -DBOUNDED => true
// run: --engine composite --property unreach-call -- -DBOUNDED => true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) {
#ifdef BOUNDED
    if (x < 2147483647)
#endif
      x = x + 1;
    while (__VERIFIER_nondet_int()) {
      if (x == -2147483647 - 1) reach_error();
    }
  }
}
