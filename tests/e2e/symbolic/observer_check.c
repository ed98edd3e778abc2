// Questions of an automaton: about the location, the values of variables and another automaton.
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine explicit => true
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine value => conditional
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine predicate => true
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine composite => true
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine kinduction => true
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine explicit -- -DOTHER => false(observer)
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine composite -- -DLIMIT => false(observer)
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine value -- -DLIMIT => false(observer)
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine predicate -- -DASSERTION => false(observer)
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine explicit -- -DASSERTION => false(observer)
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine explicit -- -DLINE => false(observer)
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine composite -- -DLINE => false(observer)
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer --engine explicit -- -DLEAVE => conditional
// run: --observer tests/e2e/symbolic/observer_check.spc --property observer,unreach-call --engine value -- -DLEAVE => conditional
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static unsigned limit;
static void check(int n) { (void)n; }
static void leave(void) {}
static void other(void) {
#ifdef OTHER
  check(3);
#endif
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  limit = n > 5 ? 9 : 0;
#ifdef LIMIT
  if (n == 12) limit--, limit += 2;
#endif
  other();
  check(n);
  int k = 0;
  check(7);
#ifdef ASSERTION

  k = 4;
#elif defined LINE
  if (limit == 9)
    other();
  limit++;
  k = 3;
#else
  k = 5;
#endif
#ifdef LEAVE
  if (k == 5) leave();
  if (k == 5) reach_error();
#endif
  return 0;
}
