// A discipline of locking, observed from outside: calls by name, and through a pointer.
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine explicit => true
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine value => true
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine predicate => true
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine predicate --blocks single => true
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine composite --integers bitvector => true
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine kinduction => true
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer => true
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer,no-overflow => true
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine bmc --unwind 3 => conditional
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine explicit -- -DBUG => false(observer)
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine value -- -DBUG => false(observer)
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine predicate -- -DBUG => false(observer)
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine composite -- -DBUG => false(observer)
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine kinduction -- -DBUG => false(observer)
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine bmc -- -DBUG => false(observer)
// run: --observer tests/e2e/symbolic/observer_lock.spc --property observer --engine composite -- -DPOINTER => false(observer)
// run: --property unreach-call -- -DBUG => true
extern int __VERIFIER_nondet_int(void);
static int held;
static void lock(int *m) {
  *m = 1;
}
static void unlock(int *m) {
  *m = 0;
}
int main(void) {
#ifdef POINTER
  void (*give)(int *) = __VERIFIER_nondet_int() == 5 ? lock : unlock;
#else
  void (*give)(int *) = unlock;
#endif
  for (;;) {
    int n = __VERIFIER_nondet_int();
    if (n == 7) break;
    lock(&held);
#ifdef BUG
    if (n == 12345) continue;
#endif
    give(&held);
  }
}
