// A structure whose members are not all set may be passed by value: no error, but what becomes of
// the unset ones in a register is not known, and the result says so. Padding is not told of.
// expect: conditional
// states: 1
// proviso: the unset members of the structure
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
  t.tag = 1;
  t.i = 4;
  assert(value(t) == 4);
  assert(sum((struct padded){1, 2, 3}) == 6);
  return 0;
}
