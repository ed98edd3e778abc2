// A plan of three engines. The first one examines what stays within its bound, the next ones the rest.
// expect: true
// args: --property unreach-call --plan 'bmc(unwind=2); predicate'
// message: step 2, `predicate`: nothing is open after it
// run: --property unreach-call --plan 'bmc(unwind=2); predicate' -- -DBUG => false(unreach-call)
// run: --property unreach-call --plan 'bmc(unwind=2)' => conditional
// run: --property unreach-call --plan 'bmc(unwind=2)' -- -DBUG => conditional
// run: --property unreach-call --plan 'bmc(unwind=2); explicit(states=1); value' -- -DBUG => false(unreach-call)
extern void reach_error(void);

int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++) sum += 2;
#ifdef BUG
  if (sum == 10) reach_error();
#endif
  if (sum % 2) reach_error();
}
