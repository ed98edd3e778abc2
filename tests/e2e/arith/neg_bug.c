// -INT_MIN.
// expect: false(no-overflow)
// states: 1
#include <limits.h>

static volatile int x = INT_MIN;

int main(void) {
  return -x < 0;
}
