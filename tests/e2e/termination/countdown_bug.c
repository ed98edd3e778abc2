// An even number stays.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x > 0)
    x -= x & 1;
  return 0;
}
