// Two errors, the second beyond what a first look sees: where all errors are asked for, `auto` does
// not end with the first.
// expect: false(unreach-call)
// args: --keep-going
// message: low == 3 && high == 0
// message: low == 499 && high == 499
// message: 2 errors
// run: --engine bmc --keep-going => false(unreach-call)
#include <assert.h>

int proviso_choose(int low, int high);

int main(void) {
  int high = proviso_choose(0, 499);
  int low = proviso_choose(0, 499);
  assert(!(low == 3 && high == 0));
  int sum = low + proviso_choose(0, 1);
  assert(!(low == 499 && high == 499));
  return sum > 1000;
}
