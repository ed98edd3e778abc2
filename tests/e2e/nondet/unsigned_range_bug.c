// The twin: one value more passes the test.
// expect: false(unreach-call)
// states: 2
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned u = __VERIFIER_nondet_uint();
  if (u <= 4294967288u) return 0;
  unsigned v = u + 6;
  assert(v < 6);
  return 0;
}
