// Arrays of variable length in an endless loop, in nested blocks, left by goto: their memory comes
// back, so that the states repeat. What alloca gives lives on.
// expect: true
// states: 8
#include <alloca.h>
#include <assert.h>

int main(void) {
  unsigned x = 0;
  int *kept = alloca(sizeof *kept);
  *kept = 5;
  for (;;) {
    int n = 1 + (int)(x % 3), a[n];
    a[n - 1] = (int)x;
    {
      int b[n], c[2 * n];
      b[0] = c[2 * n - 1] = a[n - 1];
      if (b[0] == 2) goto next;
      a[n - 1] = c[2 * n - 1];
    }
  next:
    x = ((unsigned)a[n - 1] + 1) % 7;
    assert(*kept == 5);
  }
}
