// A char is tried in full, whatever --inputs says of wider types.
// expect: true
// states: 2
// run: --inputs 16 => true states=2
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  assert((unsigned char)(x + 1) != x);
}
