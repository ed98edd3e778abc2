// A product of values that are known on each way, but not where the ways meet. The engine keeps the ways
// apart; so must the pass that checks its proof.
// run: --engine composite --property unreach-call,no-overflow => true
// run: --engine composite --property unreach-call,no-overflow --integers bitvector => true
// run: --engine value --property unreach-call,no-overflow => true
// run: --engine composite --property unreach-call,no-overflow -- -DBUG => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = 3;
  if (__VERIFIER_nondet_int()) a = 5;
#ifdef BUG
  if (a * a == 25) reach_error();
#else
  if (a * a == 15) reach_error();
#endif
  while (__VERIFIER_nondet_int()) a = 3;
  return 0;
}
