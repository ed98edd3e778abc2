// INT_MIN / -1 fits into no int.
// expect: false(no-overflow) or false(def-behavior)
// states: 1
#include <limits.h>

static volatile int x = INT_MIN, y = -1;

int main(void) {
  return x / y > 0;
}
