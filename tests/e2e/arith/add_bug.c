// INT_MAX + 1.
// expect: false(no-overflow)
// states: 1
#include <limits.h>

static volatile int x = INT_MAX;

int main(void) {
  return x + 1 > 0;
}
