// A variable that only some paths set: with --indeterminate read, reading it is the error.
// run: --engine bmc => true
// run: --engine bmc -- -DBUG => false(def-behavior)
// run: --engine bmc --indeterminate read => false(def-behavior)
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int v, w, set = __VERIFIER_nondet_int();
  if (set) v = 5;
  w = v;
#ifdef BUG
  if (w > 2) return 1;
#else
  if (set && w > 2) return 1;
#endif
  return 0;
}
