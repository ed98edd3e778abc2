// Floats are exact as bit-vectors; linear terms know nothing of them, and an error is not claimed.
// run: --engine bmc --integers bitvector --property unreach-call => true
// run: --engine bmc --integers bitvector --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine bmc --property unreach-call => conditional
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -1000 || n > 1000) return 0;
  float f = n;
  f = f * 0.5f;
#ifdef BUG
  if (f == 3.5f) reach_error();
#endif
  if (f > 500.0f) reach_error();
}
