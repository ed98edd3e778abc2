// The step is positive.
// args: --property termination
// expect: true
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (y < 1 || y > 1000 || x > 1000000)
    return 0;
  while (x > 0)
    x -= y;
  return 0;
}
