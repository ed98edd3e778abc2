// Shifting right ends.
// args: --property termination
// expect: true
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), n = 0;
  while (x) {
    x >>= 1;
    n++;
  }
  return (int)n;
}
