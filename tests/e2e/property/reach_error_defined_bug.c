// The error function of SV-COMP with a body, as its programs have it.
// expect: false(unreach-call)
// states: 1
#include <assert.h>

void reach_error(void) {
  assert(0);
}

int main(void) {
  reach_error();
  return 0;
}
