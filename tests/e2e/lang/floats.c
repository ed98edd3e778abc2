// Floating-point arithmetic is exact to the bit.
// expect: true
// states: 1
#include <assert.h>
#include <math.h>

static volatile double zero, third = 1.0 / 3;
static volatile float f = 16777216.0f;

int main(void) {
  assert(f + 1.0f == f);
  assert(third * 3 == 1.0);
  double nan = zero / zero;
  assert(nan != nan && !(nan < 1) && 1 / zero > 1e308);
  assert((float)0.1 != 0.1 && (long long)(0.7 * 10) == 7);
  assert(fabs(-2.5) == 2.5);
}
