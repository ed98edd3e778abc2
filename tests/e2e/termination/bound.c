// A counter grows to an input.
// args: --property termination
// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  while (i < n)
    i++;
  return 0;
}
