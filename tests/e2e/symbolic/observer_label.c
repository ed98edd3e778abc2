// Labels, branches, statements and states that are errors.
// run: --observer tests/e2e/symbolic/observer_label.spc --property observer --engine composite => true
// run: --observer tests/e2e/symbolic/observer_label.spc --property observer --engine explicit => true
// run: --observer tests/e2e/symbolic/observer_label.spc --property observer --engine composite -- -DBUG=1 => false(observer)
// run: --observer tests/e2e/symbolic/observer_label.spc --property observer --engine explicit -- -DBUG=1 => false(observer)
// run: --observer tests/e2e/symbolic/observer_label.spc --property observer --engine composite -- -DBUG=2 => false(observer)
// run: --observer tests/e2e/symbolic/observer_label.spc --property observer --engine predicate -- -DBUG=3 => false(observer)
extern int __VERIFIER_nondet_int(void);
#ifndef BUG
#define BUG 0
#endif
int mode;
int main(void) {
  int n = __VERIFIER_nondet_int(), wanted = BUG;
  if (n < 0) goto failed;
  mode = 1;
  if (wanted == 1 && n == 3000) goto failed;
  while (!mode) mode = 2;
  if (wanted == 2) mode = 3;
  switch (n) {
  case 5:
    if (wanted == 3) mode = 4;
    break;
  default: break;
  }
  return 0;
failed:
  return 1;
}
