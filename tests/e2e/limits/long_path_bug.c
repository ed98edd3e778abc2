// An error path of hundreds of thousands of steps: its ends are told.
//
// expect: false(unreach-call)
// args: --engine explicit
// states: 31
// message: Error path (more than
// message: steps are not shown
// message: i = 300000
#include <assert.h>

int main(void) {
  int i = 0, odd = 0;
  while (i < 300000) {
    i++;
    odd ^= 1;
  }
  assert(odd);
  return 0;
}
