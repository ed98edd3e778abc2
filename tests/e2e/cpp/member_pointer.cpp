// A pointer to a member is a number, whatever it points to (it was taken for one of these, with its padding: `false` was said, and `true` where it was unset).
// expect: true
// run: --engine dpor => true
// run: -- -DWRONG => false(unreach-call)
// run: -- -DUNSET => false(def-behavior)
#include <cassert>

struct Part {
  char c;
  int i;
};
struct Whole {
  Part a, b;
};
struct Holder {
  Part Whole::*member;
};

static Holder make() {
  Holder h;
#ifndef UNSET
  h.member = &Whole::b;
#endif
  return h;
}
static int use(Holder h) {
  Whole w;
  w.a.i = 1;
  w.b.i = 2;
  return (w.*(h.member)).i;
}

int main() {
  Holder h = make();
#ifdef UNSET
  return h.member == &Whole::b;
#else
  int i = use(h);
#ifdef WRONG
  assert(i == 1);
#endif
  assert(i == 2);
#endif
}
