// Nothing falls if the second counter is 1.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int x = 3, y = 3;
  while (x > 0 && y > 0) {
    if (__VERIFIER_nondet_bool()) {
      x--;
      y = 3;
    } else if (y > 1) {
      y--;
    }
  }
  return 0;
}
