// An engine that has no time to begin leaves everything open (its automaton once said that all is verified).
// expect: false(unreach-call)
// args: --property unreach-call --plan 'value(time=0.0001s); value'
// run: --property unreach-call --plan 'predicate(time=0.0001s); predicate' => false(unreach-call)
// run: --property unreach-call --plan 'composite(time=0.0001s); composite' => false(unreach-call)
// run: --property unreach-call --plan 'explicit(time=0.0001s); explicit' => false(unreach-call)
// run: --property unreach-call --plan 'dpor(time=0.0001s); dpor' => false(unreach-call)
// run: --property unreach-call --plan 'bmc(time=0.0001s); bmc' => false(unreach-call)
// run: --property unreach-call --plan 'value(time=0.0001s); value' -- -DFIXED => true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
#ifdef FIXED
  if (x != x) reach_error();
#else
  if (x == 5) reach_error();
#endif
}
