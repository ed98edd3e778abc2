// A set of an automaton: which mutexes are taken, by their texts. The automaton asks another one,
// which moves first.
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine explicit => true
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine value => conditional
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine predicate => true
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine composite => true
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine kinduction => true
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine bmc => true
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine explicit -- -DTWICE => false(observer)
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine value -- -DTWICE => false(observer)
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine predicate -- -DNOT => false(observer)
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine composite -- -DNOT => false(observer)
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine explicit -- -DLEFT => false(observer)
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine kinduction -- -DLEFT => false(observer)
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine bmc -- -DAGAIN => false(observer)
// run: --observer tests/e2e/symbolic/observer_set.spc --property observer --engine explicit -- -DTWO => true
extern int __VERIFIER_nondet_int(void);
struct mutex {
  int n;
} first, second, many[2];
static void take(struct mutex *m) { m->n = 1; }
static void drop(struct mutex *m) { m->n = 0; }
static void ended(void) {}
static void again(void) {}
int main(void) {
  int both = __VERIFIER_nondet_int() == 1;
  take(&second);
  take(&many[1]);
  take(&many[0x0]);
  drop(&many[0]);
  if (both) drop(&(second));
  drop(&many[1]);
#ifdef TWICE
  if (both) take(&first);
#elif defined NOT
  if (both) drop(& second);
#endif
#ifndef LEFT
  drop((& first));
#endif
  if (!both) drop(&second);
  ended();
#ifdef TWO
  return 0;
#endif
#ifdef AGAIN
  again();
#endif
  return 0;
}
