// The second counter is reset without a price.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int a = 2, b = 2, c = 2;
  while (a > 0 && b > 0 && c > 0) {
    if (__VERIFIER_nondet_bool()) {
      b--;
      c = 2;
      if (b == 1)
        b = 2;
    } else {
      c--;
    }
  }
  return 0;
}
