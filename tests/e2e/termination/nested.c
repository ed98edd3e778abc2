// An inner loop does not change the outer counter.
// args: --property termination
// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
    }
  return 0;
}
