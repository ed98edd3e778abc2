// A protocol of files: opened, read, closed; the result of the call decides, and whatever was opened
// is closed at the end. With variables of the automaton, assumptions and the end of the program.
// args: --observer tests/e2e/symbolic/observer_file.spc --property observer --engine composite
// expect: true
// run: --observer tests/e2e/symbolic/observer_file.spc --property observer --engine predicate => true
// run: --observer tests/e2e/symbolic/observer_file.spc --property observer --engine value => conditional
// run: --observer tests/e2e/symbolic/observer_file.spc --property observer --engine explicit => conditional
// run: --observer tests/e2e/symbolic/observer_file.spc --property observer --engine composite -- -DUNCHECKED => false(observer)
// run: --observer tests/e2e/symbolic/observer_file.spc --property observer --engine predicate -- -DLEFT_OPEN => false(observer)
// run: --observer tests/e2e/symbolic/observer_file.spc --property observer --engine explicit -- -DLEFT_OPEN => false(observer)
// run: --observer tests/e2e/symbolic/observer_file.spc --property observer --engine bmc -- -DTWICE => false(observer)
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int opened(void) {
  int handle = __VERIFIER_nondet_int();
  return handle < 0 ? -1 : handle;
}
static int take(int handle) {
  return handle + (handle < 100);
}
static void done(int handle) {
  (void)handle;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  int handle = opened();
#ifndef UNCHECKED
  if (handle < 0) exit(1);
#endif
  for (int i = 0; i < n; i++) {
    if (sum > 1000) break;
    sum += take(handle) > 3;
  }
#ifdef LEFT_OPEN
  if (sum == 3) return 2;
#endif
  done(handle);
#ifdef TWICE
  if (n == 9) done(handle);
#endif
  return 0;
}
