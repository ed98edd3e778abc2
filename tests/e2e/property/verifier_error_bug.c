// The older error function of SV-COMP.
// expect: false(unreach-call)
// states: 1
extern void __VERIFIER_error(void);

int main(void) {
  __VERIFIER_error();
  return 0;
}
