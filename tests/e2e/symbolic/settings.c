// Where the predicate analysis abstracts, which predicates it has there, and how exactly: the same
// verdicts under all settings.
// run: --engine predicate --property unreach-call => true
// run: --engine predicate --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine predicate --property unreach-call --blocks functions => true
// run: --engine predicate --property unreach-call --blocks functions -- -DBUG => false(unreach-call)
// run: --engine predicate --property unreach-call --blocks single => true
// run: --engine predicate --property unreach-call --blocks single -- -DBUG => false(unreach-call)
// run: --engine predicate --property unreach-call --predicate-scope function => true
// run: --engine predicate --property unreach-call --predicate-scope function -- -DBUG => false(unreach-call)
// run: --engine predicate --property unreach-call --predicate-scope global => true
// run: --engine predicate --property unreach-call --predicate-scope global -- -DBUG => false(unreach-call)
// run: --engine predicate --property unreach-call --abstraction cartesian => true
// run: --engine predicate --property unreach-call --abstraction cartesian -- -DBUG => false(unreach-call)
// run: --engine predicate --property unreach-call --blocks single --predicate-scope global --abstraction cartesian => true
// run: --engine predicate --property unreach-call --blocks functions --integers bitvector => true
// run: --engine predicate --property unreach-call --blocks functions --integers bitvector -- -DBUG => false(unreach-call)
// run: --engine predicate --property unreach-call --predicates tests/e2e/symbolic/settings.predicates => true
// run: --engine predicate --property unreach-call --predicates tests/e2e/symbolic/settings.predicates --blocks single => true
// run: --engine predicate --property unreach-call --predicates tests/e2e/symbolic/settings.predicates -- -DBUG => false(unreach-call)
// run: --engine predicate --property unreach-call --predicates tests/e2e/symbolic/settings.predicates --integers bitvector => true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int held;
static void take(int n) {
#ifdef BUG
  if (n == 77) return;
#endif
  held = 1;
}
static void give(void) {
  if (!held) reach_error();
  held = 0;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (;;) {
    int k = __VERIFIER_nondet_int();
    if (k == n) break;
    if (held) reach_error();
    take(k);
    give();
  }
  if (held) reach_error();
}
