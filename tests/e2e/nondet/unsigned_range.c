// Unsigned comparisons wrap: what is below 3 after subtracting is a range in the middle.
// expect: true
// states: 2
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned u = __VERIFIER_nondet_uint();
  if (u < 4294967290u) return 0;
  unsigned v = u + 6;
  assert(v < 6);
  return 0;
}
