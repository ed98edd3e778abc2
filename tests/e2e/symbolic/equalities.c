// k-induction stands on linear equalities between what a loop computes.
// expect: true
// args: --engine kinduction --property unreach-call
// message: 2 * i == sn
// run: --engine kinduction --property unreach-call --32 => true
// run: --engine kinduction --property unreach-call -- -DBUG => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), sn = 0;
  if (n < 0 || n > 1000000) return 0;
  for (int i = 0; i < n; i++) {
    sn += 2;
#ifdef BUG
    if (i == 5) sn++;
#endif
  }
  if (sn != 2 * n) reach_error();
}
