// What a function returns lives as long as the expression (C11, 6.2.4, 8); who keeps its address gets a proviso (`true` was said). A function without a result gives none through
// a pointer either.
// expect: conditional
// proviso: what a call returns at
// run: --engine dpor => conditional
// run: -- -DFIX => true
// run: -- -DFIX -DWRONG => false(unreach-call)
// run: -- -DNO_VALUE => conditional
// run: --engine value -- -DNO_VALUE => conditional
// run: -- -DNO_VALUE -DFIX => true
#include <assert.h>

struct numbers {
  int at[8];
};
static struct numbers make(int k) {
  struct numbers n;
  for (int i = 0; i < 8; i++) n.at[i] = k;
  return n;
}
static int first(const int *p) {
  return *p;
}
static int no_value(int x) {
  if (x) return 1;
#ifdef FIX
  return 0;
#endif
}

int main(void) {
#ifdef NO_VALUE
  int (*f)(int) = no_value;
  return f(0) == 4;
#elif defined FIX
#ifdef WRONG
  assert(first(make(3).at) != 3);
#endif
  assert(first(make(3).at) == 3 && make(4).at[2] == 4);
  return 0;
#else
  int *p = make(3).at;
  return first(p) == 9;
#endif
}
