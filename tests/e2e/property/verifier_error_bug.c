// The older error function of SV-COMP.
// expect: false(unreach-call)
extern void __VERIFIER_error(void);

int main(void) {
  __VERIFIER_error();
  return 0;
}
