// Bytes that the program itself copies, returns or passes on, one at a time, are no structure that is passed: where they are padding that nothing was stored
// in, they are read (that was taken for what clang copies, and `true` was said); what is stored there is there (in what bit-fields leave free, it was lost).
// expect: false(def-behavior)
// run: --engine dpor => false(def-behavior)
// run: -- -DRETURNED => false(def-behavior)
// run: -- -DREVERSED => false(def-behavior)
// run: -- -DFLEXIBLE => false(def-behavior)
// run: -- -DMEMBER => false(def-behavior)
// run: -- -DELEMENT => false(def-behavior)
// run: -- -DADDED => false(def-behavior)
// run: -- -DIN_UNION => false(def-behavior)
// run: --indeterminate read -- -DCHANGED => false(def-behavior)
// run: -- -DFIX => true
// run: -- -DFIX -DRETURNED => true
// run: -- -DFIX -DREVERSED => true
// run: -- -DFIX -DADDED => true
// run: -- -DFIX -DCHANGED => true
// run: -- -DBITS => true
// run: --engine dpor -- -DBITS => true
// run: -- -DBITS -DWRONG => false(unreach-call)
#include <assert.h>
#include <string.h>

struct padded {
  char kind;
  int value;
};
struct flexible {
  int n;
  char kind;
  char data[]; /* its first three are where padding would be */
};
struct fields {
  unsigned low : 12;
};
struct either {
  int tag;
  union {
    int i;
    double d;
  } u;
};

static unsigned char returned(void) {
  struct padded s;
  s.kind = 1;
  s.value = 2;
#ifdef FIX
  memset(&s, 0, sizeof s);
#endif
  return ((unsigned char *)&s)[1];
}
static int member(void) {
  struct padded s;
  s.kind = 1;
  return s.value;
}
static char element(void) {
  char a[3];
  a[0] = 1;
  return a[1];
}

int main(void) {
  struct padded s;
#ifdef FIX
  memset(&s, 0, sizeof s);
#endif
  s.kind = 1;
#ifndef ADDED
  s.value = 2;
#endif
#ifdef RETURNED
  return returned() == 7;
#elif defined REVERSED
  unsigned char x = __builtin_bitreverse8(((unsigned char *)&s)[1]);
  return x == 7;
#elif defined FLEXIBLE
  struct flexible f;
  char b[2];
  f.n = 1;
  f.kind = 2;
  b[0] = f.data[0];
  return b[0] == 7;
#elif defined MEMBER
  return member() == 7;
#elif defined ELEMENT
  return element() == 7;
#elif defined ADDED
  int sum;
  return __builtin_add_overflow(s.value, 1, &sum);
#elif defined IN_UNION
  struct either t;
  t.tag = 1;
  int y[1];
  y[0] = t.u.i;
  return y[0] == 7;
#elif defined CHANGED
  unsigned x, *p = &x;
#ifdef FIX
  x = 0;
#endif
  x = (x & ~7u) | 5;
  return *p == 7;
#elif defined BITS
  struct fields f;
  const unsigned char raw[4] = {1, 0xf2, 3, 4};
  unsigned x;
  ((unsigned char *)&f)[0] = raw[0];
  ((unsigned char *)&f)[1] = raw[1];
  ((unsigned char *)&f)[2] = raw[2];
  ((unsigned char *)&f)[3] = raw[3];
  memcpy(&x, &f, sizeof x);
#ifdef WRONG
  assert((x & 0xf000) != 0xf000);
#endif
  assert((x & 0xf000) == 0xf000);
  return 0;
#else
  unsigned char b[2];
  b[0] = ((unsigned char *)&s)[1];
  b[1] = 3;
  return b[0] == 7;
#endif
}
