// A counter falls to 0.
// args: --property termination
// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x > 0)
    x--;
  return 0;
}
