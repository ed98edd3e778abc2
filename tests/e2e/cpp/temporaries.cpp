// A temporary object begins anew in each round of a loop (what another round had set was set, and `true` was said); what is copied to be passed, and copied
// once more, keeps its type (bit-fields' padding got a proviso).
// expect: false(def-behavior)
// run: -- -DLARGE => false(def-behavior)
// run: -- -DFIX => true
// run: --engine dpor -- -DFIX => true
// run: -- -DFIX -DLARGE => true
// run: -- -DFIX -DWRONG => false(unreach-call)
// run: -- -DCOPIED => true
// run: -- -DCOPIED -DWRONG => false(unreach-call)
#include <cassert>

struct Made {
  int key, value;
#ifdef LARGE
  int more[6];
#endif
  Made(int k) {
    key = k;
#ifdef FIX
    value = 0;
#endif
    if (k) value = 5;
  }
};
static int use(Made m) { return m.value == 6; }

struct Fields {
  unsigned short words[3];
  unsigned bits : 2;
  int value;
};
static Fields pass(Fields f) { return f; }

int main() {
#ifdef COPIED
  Fields v;
  v.words[0] = v.words[1] = v.words[2] = 1;
  v.bits = 2;
  v.value = 3;
  Fields t = pass(v);
#ifdef WRONG
  assert(t.bits != 2);
#endif
  assert(t.value == 3);
#else
  int seen = 0;
  for (int k = 1; k >= 0; k--) seen += use(Made(k));
#ifdef WRONG
  assert(seen);
#endif
  return seen;
#endif
}
