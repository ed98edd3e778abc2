// Signed overflow is an error where it is asked for, and wraps around where it is not.
// run: --engine bmc --property no-overflow => true
// run: --engine kinduction --property no-overflow => true
// run: --engine bmc --property no-overflow --integers bitvector => true
// run: --engine bmc --property no-overflow -- -DBUG => false(no-overflow)
// run: --engine kinduction --property no-overflow -- -DBUG => false(no-overflow)
// run: --engine bmc --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine bmc --property unreach-call --integers bitvector -- -DBUG => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
#ifdef BUG
  if (n < 0) return 0;
#else
  if (n < 0 || n > 2147483000) return 0;
#endif
  int m = n + 647;
  if (m < n) reach_error();
}
