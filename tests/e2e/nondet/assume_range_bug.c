// The bound of the assumption is one too large.
// expect: false(def-behavior)
// states: 2
// run: --property valid-memsafety => false(valid-deref) states=2
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
  int a[10] = {0};
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 10);
  return a[n];
}
