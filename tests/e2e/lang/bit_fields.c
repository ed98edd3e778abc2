// Bit-fields set one after the other share a word: the unset ones stay unset, padding does not
// matter, and structures that are full may be copied, passed and returned.
//
// args: --property unreach-call,def-behavior,valid-memsafety
// expect: true
// states: 1
#include <assert.h>

typedef struct {
  unsigned a : 3, b : 5;
  int c : 20;
  signed d : 4;
  short e;
  _Bool f : 1;
} S;

struct P {
  unsigned low : 1, high : 2;
};

static int sum(S s) {
  return s.c + s.f;
}

static S make(int v) {
  S s;
  s.a = v;
  s.b = 2;
  s.c = -5;
  s.d = -1;
  s.e = 7;
  s.f = 1;
  return s;
}

static unsigned both(struct P p) {
  return p.low + p.high;
}

int main(void) {
  S x = make(3), y;
  y = x;
  y.d = 3;
  y.c++;
  assert(sum(y) == -3 && y.a == 3 && y.b == 2 && y.d == 3 && y.e == 7 && x.d == -1);

  struct P p;
  p.low = 1;
  p.high = 2;
  assert(both(p) == 3);

  struct P half, copy;
  half.high = 3;
  copy = half;
  assert(copy.high == 3);
  copy.low = 0;
  assert(both(copy) == 3);
  return 0;
}
