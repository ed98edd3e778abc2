// INT_MIN - 1.
// expect: false(no-overflow)
// states: 1
#include <limits.h>

static volatile int x = INT_MIN;

int main(void) {
  return x - 1 < 0;
}
