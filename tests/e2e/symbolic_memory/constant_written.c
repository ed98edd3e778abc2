// Writing to a constant through a cast is an error.
// run: --engine bmc => true
// run: --engine bmc -- -DBUG => false(valid-deref)
// run: --engine predicate -- -DBUG => false(valid-deref)
extern int __VERIFIER_nondet_int(void);
static const int constant = 1;
static int plain = 1;
int main(void) {
  int n = __VERIFIER_nondet_int();
  int *p = n > 4 ? (int *)&constant : &plain;
#ifdef BUG
  *p = n;
#else
  plain = *p + (n > 4);
#endif
  return 0;
}
