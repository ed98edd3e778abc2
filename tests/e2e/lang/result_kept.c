// What a function returns lives as long as the expression (C11, 6.2.4, 8); who keeps its address gets a proviso (`true` was said). A function without a result gives none through
// a pointer either.
// expect: conditional
// proviso: what a call returns at
// run: --engine dpor => conditional
// run: -- -DSMALL => conditional
// run: -- -DFIX => true
// run: -- -DFIX -DWRONG => false(unreach-call)
// run: -- -DNO_VALUE => false(def-behavior)
// run: --engine value -- -DNO_VALUE => false(def-behavior)
// run: -- -DNO_VALUE -DFIX => true
// run: -- -DNO_PROTOTYPE => false(def-behavior)
// run: -- -DNO_PROTOTYPE -DFIX => true
// run: -- -DCOMPARE => false(def-behavior)
// run: -- -DCOMPARE -DFIX => true
// run: -- -DUNUSED => true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct numbers {
  int at[8];
};
static struct numbers make(int k) {
  struct numbers n;
  for (int i = 0; i < 8; i++) n.at[i] = k;
  return n;
}
struct pair {
  int at[2];
};
static struct pair two(int k) {
  return (struct pair){{k, k}};
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

static int difference(const void *p, const void *q) {
  return *(const int *)p - *(const int *)q;
}
static int compare(const void *p, const void *q) {
  if (*(const int *)p < *(const int *)q) return -1;
#ifdef FIX
  return 1;
#endif
}

static void *nothing(void *p) {
  if (!p) return p;
}

int main(void) {
#ifdef UNUSED
  pthread_t id;
  int a[] = {1, 3}, (*f)(int) = no_value;
  pthread_create(&id, 0, nothing, a);
  pthread_join(id, 0);
  f(0);
  return bsearch(a, a, 2, sizeof *a, difference) != a;
#elif defined COMPARE
  int a[] = {3, 1};
  qsort(a, 2, sizeof *a, compare);
  return 0;
#elif defined NO_PROTOTYPE
  int (*f)() = no_value;
  return f(0) == 4;
#elif defined NO_VALUE
  int (*f)(int) = no_value;
  return f(0) == 4;
#elif defined FIX
#  ifdef WRONG
  assert(first(make(3).at) != 3);
#  endif
  assert(first(make(3).at) == 3 && make(4).at[2] == 4);
  return 0;
#else
#  ifdef SMALL
  int *p = two(3).at; /* comes in registers */
#  else
  int *p = make(3).at;
#  endif
  return first(p) == 9;
#endif
}
