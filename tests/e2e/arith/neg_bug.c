// -INT_MIN.
// expect: false(no-overflow)
#include <limits.h>

static volatile int x = INT_MIN;

int main(void) {
  return -x < 0;
}
