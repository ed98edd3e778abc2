// With 256 values allowed, a char is tried in full.
// expect: true
// args: --inputs 256
// run: --inputs 16 => conditional
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  assert((unsigned char)(x + 1) != x);
}
