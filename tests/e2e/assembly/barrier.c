// Empty templates hide values from the compiler and order memory for it; nothing happens.
// expect: true
// states: 1
#include <assert.h>
static volatile int x = 1;

int main(void) {
  int y = x, *p = &y, *q;
  double d = 0.5;
  __asm__ volatile("" : "+r"(y));
  __asm__("" : "=r"(q) : "0"(p));
  __asm__ volatile("" : "+m"(y), "+r"(d) : "r"(p), "i"(3), "g"(y) : "memory", "cc");
  __asm__ volatile("# a comment\n" ::: "memory");
  assert(y == 1 && q == &y && d == 0.5);
  return 0;
}
