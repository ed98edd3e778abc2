// Frames of a recursive function have variables of their own; how deep is bounded, and said.
// run: --engine bmc --property unreach-call => true
// run: --engine bmc --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine bmc --property unreach-call -- -DDEEP => conditional
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static unsigned sum(unsigned n) {
  unsigned mine = n;
  unsigned *p = &mine;
  if (n == 0) return 0;
  unsigned rest = sum(n - 1);
  return *p + rest;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
#ifndef DEEP
  if (n > 2) return 0;
#endif
  unsigned s = sum(n);
#ifdef BUG
  if (s == 3) reach_error();
#else
  if (n <= 2 && s != (n == 2 ? 3 : n)) reach_error();
#endif
}
