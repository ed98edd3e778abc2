// Variadic functions of our own.
// expect: true
// states: 1
// run: --32 => true states=1
// run: -- -DOTHER => false(unreach-call) states=1
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

/* A structure with more than natural alignment is where that leads to. */
struct aligned {
  _Alignas(32) int x;
  int y;
};

static int member(int n, ...) {
  va_list list;
  va_start(list, n);
  int before = va_arg(list, int);
  struct aligned s = va_arg(list, struct aligned);
  int behind = va_arg(list, int);
  va_end(list);
  return 100 * before + 10 * s.y + behind;
}

static int by_value(struct aligned s) {
  return (int)((unsigned long)&s % 32) + s.y;
}

int main(void) {
  struct aligned s = {1, 2};
#ifdef OTHER
  s.y++;
#endif
  assert(member(0, 4, s, 5) == 425);
  assert(by_value(s) == 2);
  assert(sum(4, 1, 0.5, 2, 0.25) == 3.75);
}
