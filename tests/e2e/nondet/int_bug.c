// An error for a small input is found although the range is cut.
// expect: false(unreach-call)
// states: 2
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x != 1);
}
