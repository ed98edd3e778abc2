// The rest is smaller than the divisor.
// args: --property termination
// expect: true
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  while (b) {
    unsigned char rest = a % b;
    a = b;
    b = rest;
  }
  return 0;
}
