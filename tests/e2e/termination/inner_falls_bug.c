// The inner loop may raise the outer counter.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int x = 5;
  while (x > 0) {
    while (x < 10 && __VERIFIER_nondet_bool())
      x += 2;
    x--;
  }
  return 0;
}
