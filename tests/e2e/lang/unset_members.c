// A structure whose members are not all set may be passed by value: what is unset stays so in the copy, which is an error only where it is used
// (USED). Padding is no member.
// run: -- -DUSED => false(def-behavior)
// run: --engine dpor => true
// run: --engine dpor -- -DUSED => false(def-behavior)
// run: --native-after 0 => true
// run: --native-after 0 -- -DUSED => false(def-behavior)
// expect: true
// states: 1
#include <assert.h>

struct tagged {
  int tag;
  union {
    int i;
    double d;
  };
};
struct padded {
  char c;
  int i;
  short s;
};

static int value(struct tagged t) {
  return t.tag ? t.i : (int)t.d;
}
static int sum(struct padded p) {
  return p.c + p.i + p.s;
}

int main(void) {
  struct tagged t;
#ifdef USED
  t.tag = 0; /* so that `d` is read, half of which is set */
#else
  t.tag = 1;
#endif
  t.i = 4;
#ifdef USED
  assert(value(t) != 5);
#else
  assert(value(t) == 4);
#endif
  assert(sum((struct padded){1, 2, 3}) == 6);
  return 0;
}
