// What an automaton prunes is a proviso: by STOP, and by an assumption that does not hold.
// args: --observer tests/e2e/symbolic/observer_control.spc --property unreach-call,observer --engine composite
// expect: conditional
// proviso: provided that the assumption {n < 10} of automaton `control` holds at
// proviso: provided that automaton `control` (tests/e2e/symbolic/observer_control.spc:10) stops no path at
// run: --observer tests/e2e/symbolic/observer_control.spc --property unreach-call,observer --engine explicit => conditional
// run: --observer tests/e2e/symbolic/observer_control.spc --property unreach-call,observer --engine value => conditional
// run: --observer tests/e2e/symbolic/observer_control.spc --property unreach-call,observer --engine predicate => conditional
// run: --observer tests/e2e/symbolic/observer_control.spc --property unreach-call,observer --engine bmc => conditional
// run: --observer tests/e2e/symbolic/observer_control.spc --property unreach-call,observer --engine kinduction => conditional
// run: --observer tests/e2e/symbolic/observer_control.spc --property unreach-call,observer -- -DBUG => false(unreach-call)
// run: --property unreach-call => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void stop(void) {}
int main(void) {
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (k == 1) {
    stop();
    reach_error();
  }
  if (n > 1000) reach_error();
#ifdef BUG
  if (n == 9) reach_error();
#endif
  return 0;
}
