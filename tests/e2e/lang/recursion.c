// Recursion, mutual recursion, and a local array on every level.
// expect: true
// states: 1
#include <assert.h>

static int odd(int n);
static int even(int n) {
  return n == 0 ? 1 : odd(n - 1);
}
static int odd(int n) {
  return n == 0 ? 0 : even(n - 1);
}

static int fib(int n) {
  int last[2] = {0, 1};
  if (n < 2) return last[n];
  last[0] = fib(n - 1);
  last[1] = fib(n - 2);
  return last[0] + last[1];
}

int main(void) {
  assert(fib(8) == 21 && even(10) && odd(7));
}
