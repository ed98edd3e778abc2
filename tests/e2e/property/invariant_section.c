// Inside an atomic section nobody looks.
//
// args: --invariant "x >= 0"
// expect: true
// states: 4
int x;

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int main(void) {
  __VERIFIER_atomic_begin();
  x = -1;
  x = 1;
  __VERIFIER_atomic_end();
  return 0;
}
