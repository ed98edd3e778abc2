// Both values of an input are tried.
// expect: false(unreach-call)
// states: 4
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void) {
  bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
  assert(!(a && !b));
}
