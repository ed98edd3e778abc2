// To copy a member that is not set is no error; to let it decide something is one.
// run: --engine bmc => true
// run: --engine bmc --integers bitvector => true
// run: --engine predicate => true
// run: --engine kinduction => true
// run: --engine bmc -- -DBUG => false(def-behavior)
// run: --engine predicate -- -DBUG => false(def-behavior)
extern int __VERIFIER_nondet_int(void);
struct pair { int first, second; };
int main(void) {
  struct pair a, b;
  a.first = __VERIFIER_nondet_int();
  b = a;
#ifdef BUG
  if (b.second == 3) return 1;
#else
  int kept = b.second;
  b.second = kept;
  if (b.first == 3) return 1;
#endif
  return 0;
}
