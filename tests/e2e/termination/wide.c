// The bound is below the last number.
// args: --property termination
// expect: true
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  for (unsigned short i = 0; i <= n; i++) {
  }
  return 0;
}
