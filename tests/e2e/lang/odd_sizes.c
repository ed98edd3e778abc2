// Structures of three and six bytes are passed in words that no C type has. Their padding is no error (`false` was said); what is not set stays so.
// expect: true
// run: --engine dpor => true
// run: -- -DUNSET => true
// run: -- -DWRONG => false(unreach-call)
#include <assert.h>

struct six {
  short first, second;
  char third; /* and a byte of padding */
};
struct three {
  char first;
  unsigned : 8;
  char last;
} __attribute__((packed));

static int sum(struct six v) {
  return v.first + v.second + v.third;
}
static int ends(struct three v) {
  return v.first + v.last;
}
static struct six make(int n) {
  struct six v;
  v.first = (short)n;
  v.second = 2;
#ifndef UNSET
  v.third = 3;
#endif
  return v;
}

int main(void) {
  struct six six = make(1);
#ifdef UNSET
  return six.first;
#else
  struct three three;
  three.first = 1;
  three.last = 3;
  assert(sum(six) == 6 && ends(three) == 4);
#ifdef WRONG
  assert(sum(make(1)) != 6);
#endif
  return 0;
#endif
}
