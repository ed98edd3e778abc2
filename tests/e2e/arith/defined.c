// What looks like the bugs of this folder and is none.
// expect: true
// states: 1
#include <assert.h>
#include <limits.h>

static volatile int minus = -7, width = 31;
static volatile unsigned max = UINT_MAX;
static volatile signed char small = 127;

int main(void) {
  assert(max + 1 == 0 && max * max == 1);
  assert(0u - 1 == UINT_MAX);
  assert(minus / 2 == -3 && minus % 2 == -1);
  assert(1u << width == 0x80000000u);
  assert(minus >> 1 == -4);
  small++;
  assert(small == -128);
  assert((unsigned char)(small - 1) == 127);
  assert((long long)INT_MAX + 1 == 2147483648LL);
  assert((int)2.9 == 2 && (int)-2.9 == -2);
  assert((unsigned)minus > 100 && minus < 100);
  assert(INT_MIN / 1 == INT_MIN && INT_MIN % 10 == -8);
  assert(0.1 + 0.2 != 0.3 && 0.1f + 0.2f > 0.3f - 1e-6f);
}
