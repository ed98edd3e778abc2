// A function that ends without a result on one path: an error where the result is used.
//
// expect: true
// run: -- -DUSED => false(def-behavior)
// run: --engine bmc -- -DUSED => false(def-behavior)
// run: --engine predicate -- -DUSED => false(def-behavior)
// run: --engine bmc => true
// run: --engine kinduction => true
extern int __VERIFIER_nondet_int(void);

static int sign(int x) {
  if (x > 0) return 1;
  if (x < 0) return -1;
}

int main(void) {
  int n = __VERIFIER_nondet_int(), s = sign(n);
#ifdef USED
  return s > 0;
#else
  return n && s > 0;
#endif
}
