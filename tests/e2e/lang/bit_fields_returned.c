// What bit-fields leave free in a structure that is returned is no member: it may be unset (a proviso was said). A bit-field that is not set stays so.
// expect: true
// run: --engine dpor => true
// run: -- -DUNSET => true
// run: -- -DPUT_IN => true
// run: -- -DWRONG => false(unreach-call)
#include <assert.h>

struct fields {
  char first;
  int second : 4; /* and four bits, and two bytes */
  int : 0;
  short third : 6;
};

#ifdef PUT_IN
static inline __attribute__((always_inline))
#else
static
#endif
struct fields make(int n) {
  struct fields r;
  r.first = (char)n;
#ifndef UNSET
  r.second = 2;
#endif
  r.third = 3;
  return r;
}

int main(void) {
  struct fields r = make(1);
  assert(r.first == 1 && r.third == 3);
#ifdef WRONG
  assert(r.second != 2);
#endif
  return 0;
}
