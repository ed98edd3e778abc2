// The inner loop never raises the outer counter.
// args: --property termination
// expect: true
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x > 0) {
    while (x > 10 && __VERIFIER_nondet_bool())
      x -= 2;
    x--;
  }
  return 0;
}
