// Predicates of the user are candidates for what k-induction stands on; those that do not hold are dropped.
// expect: true
// args: --engine kinduction --property unreach-call --predicates tests/e2e/symbolic/slopes.predicates
// message: j >= 3 * i
// run: --engine kinduction --property unreach-call --predicates tests/e2e/symbolic/slopes.predicates -- -DBUG => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, j = 0;
  if (n < 0 || n > 100000) return 0;
  while (i < n) {
    j += 3;
    if (__VERIFIER_nondet_int()) j++;
#ifdef BUG
    if (i == 3) j -= 8;
#endif
    i++;
  }
  if (j < 3 * i) reach_error();
}
