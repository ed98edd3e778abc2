// An array that is indexed by a variable, large enough to be one memory.
// run: --engine bmc --property unreach-call,valid-deref => true
// run: --engine bmc --property unreach-call,valid-deref --integers bitvector => true
// run: --engine bmc --property unreach-call,valid-deref -- -DBUG => false(unreach-call)
// run: --engine bmc --property valid-deref -- -DOUTSIDE => false(valid-deref)
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static int table[100];
int main(void) {
  unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
#ifdef OUTSIDE
  if (i > 100 || j >= 100) return 0;
#else
  if (i >= 100 || j >= 100) return 0;
#endif
  table[i] = 7;
  table[j] = 8;
#ifdef BUG
  if (table[i] != 7) reach_error();
#else
  if (i != j && table[i] != 7) reach_error();
#endif
}
