// Arrays of variable length, and alloca.
// expect: true
// states: 1
#include <alloca.h>
#include <assert.h>

static int sum(int n) {
  int a[n], *b = alloca(n * sizeof *b), total = 0;
  for (int i = 0; i < n; i++) a[i] = b[i] = i;
  for (int i = 0; i < n; i++) total += a[i] + b[i];
  return total;
}

int main(void) {
  assert(sum(3) == 6 && sum(4) == 12);
}
