// Bounds of outer loops hold in inner ones: candidates that are inductive together.
// expect: true
// args: --engine kinduction --property unreach-call
// run: --engine kinduction --integers bitvector --property unreach-call => true
// run: --engine kinduction --property unreach-call -- -DBUG => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), last = 0;
  if (n < 0 || m < 0 || n > 1000 || m > 1000) return 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (i < 0 || i >= n || j < 0 || j >= m) reach_error();
      last = i;
#ifdef BUG
      if (j == 3) i = n;
#endif
    }
  if (last > n) reach_error();
}
