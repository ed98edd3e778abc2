// Variadic functions of our own.
// expect: true
// states: 1
#include <assert.h>
#include <stdarg.h>

static double sum(int n, ...) {
  va_list list, copy;
  double total = 0;
  va_start(list, n);
  va_copy(copy, list);
  for (int i = 0; i < n; i++) total += i % 2 ? va_arg(list, double) : va_arg(list, int);
  assert(va_arg(copy, int) == 1);
  va_end(copy);
  va_end(list);
  return total;
}

int main(void) {
  assert(sum(4, 1, 0.5, 2, 0.25) == 3.75);
}
