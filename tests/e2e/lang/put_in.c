// What clang puts in at its call (always_inline) passes and returns structures in words, too, and two of them at a time: their padding is no error, from
// wherever they come (`false` was said), and what is not set in them stays so.
// expect: true
// run: --engine dpor => true
// run: -- -DUNSET => true
// run: --engine dpor -- -DUNSET => true
// run: -- -DBYTES => false(def-behavior)
// run: -- -DWRONG => false(unreach-call)
// run: -- -DBITS => true
// run: -- -DBITS -DWRONG => false(unreach-call)
#include <assert.h>
#include <stdlib.h>

#define PUT_IN static inline __attribute__((always_inline))

struct two_words {
  char first;
  short second;
  long third;
};
struct one_word {
#ifdef BITS /* no padding that is as wide as a byte */
  unsigned first : 11;
  int second : 20;
#else
  char first;
  int second;
#endif
};

PUT_IN struct two_words same(struct two_words r) {
  return r;
}
PUT_IN struct one_word copy(const struct one_word *from) {
  return *from;
}
PUT_IN int sum(struct one_word r) {
  return r.first + r.second;
}
static int byte(const struct one_word *r) {
  return ((const unsigned char *)r)[3];
}
PUT_IN int padding(struct one_word r) {
  return byte(&r);
}

static struct one_word global;

int main(void) {
  struct two_words *two = malloc(sizeof *two);
  struct one_word *one = malloc(sizeof *one);
  if (!two || !one) abort();
  two->first = 1;
#ifndef UNSET
  two->second = 2;
#endif
  two->third = 3;
  one->first = 1;
  one->second = 2;
  struct two_words returned = same(*two);
  assert(returned.third == 3);
  global = copy(one);
  int seen = sum(*one);
  assert(seen == 3 && sum(global) == 3);
#ifdef BYTES
  seen = padding(*one);
#elif defined WRONG
  assert(seen != sum(copy(&global)));
#endif
  free(two);
  free(one);
  return seen == 0;
}
