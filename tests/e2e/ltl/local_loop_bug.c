// A loop on a local variable that does not end, found without any visible operation; and an input that decides.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
// run: --engine explicit --property termination -- -DENDS => true states=209
// run: --property termination,unreach-call => false(termination)
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
#ifdef ENDS
  while (n) n--;
#else
  while (n) n -= 2;
#endif
  return 0;
}
