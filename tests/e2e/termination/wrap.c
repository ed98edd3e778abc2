// The unsigned counter passes every number, 0 too.
// args: --property termination
// expect: true
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  while (x != 0)
    x--;
  return 0;
}
