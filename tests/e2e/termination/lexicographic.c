// The second counter grows only when the first one falls.
// args: --property termination
// expect: true
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  while (x > 0 && y > 0) {
    if (__VERIFIER_nondet_bool()) {
      x--;
      y = __VERIFIER_nondet_int();
    } else {
      y--;
    }
  }
  return 0;
}
