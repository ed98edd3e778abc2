// proviso_choose takes the bounds of its range, too.
// expect: false(unreach-call)
// states: 5
#include <assert.h>

extern int proviso_choose(int low, int high);

int main(void) {
  int sum = proviso_choose(1, 3) + proviso_choose(-1, 1);
  assert(sum != 4);
}
