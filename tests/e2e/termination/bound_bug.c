// The counter stays at 3.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  while (i < n)
    if (i != 3)
      i++;
  return 0;
}
