// One character is tried with every value: that is exact.
// expect: true
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c = getchar();
  assert(c >= EOF && c < 256);
  return c == 'y';
}
