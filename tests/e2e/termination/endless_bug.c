// The loop without an exit is reached for some inputs.
// args: --property termination
// expect: false(termination)
// message: an execution does not end
extern int __VERIFIER_nondet_int(void);
static void must(int holds) {
  if (!holds)
    for (;;) {
    }
}
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  if (n < 0 || n > 9)
    return 0;
  for (int i = 0; i < n; i++)
    sum += 2;
  must(sum % 3 == 0);
  return sum;
}
