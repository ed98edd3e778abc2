// What a function declares begins anew with each call, also where it is to be put in at its call (always_inline), and so do a result that has no name, and
// a compound literal's elements: nothing is set in them that another round of the loop set (it was, and `true` was said).
// expect: false(def-behavior)
// run: --engine dpor => false(def-behavior)
// run: -- -DRESULT => false(def-behavior)
// run: --engine dpor -- -DRESULT => false(def-behavior)
// run: -- -DPASSED => false(def-behavior)
// run: -- -DCHOSEN => false(def-behavior)
// run: -- -DLITERAL => false(def-behavior)
// run: -- -DNO_VALUE => false(def-behavior)
// run: -- -DKEPT => false(valid-deref)
// run: -- -DFIX => true
// run: -- -DFIX -DRESULT => true
// run: -- -DFIX -DPASSED => true
// run: -- -DFIX -DCHOSEN => true
// run: -- -DFIX -DLITERAL => true
// run: -- -DFIX -DNO_VALUE => true
// run: -- -DFIX -DWRONG => false(unreach-call)
// run: --engine dpor -- -DFIX -DWRONG => false(unreach-call)
#include <assert.h>

#define PUT_IN static inline __attribute__((always_inline))

struct number {
  int ok, value;
};
PUT_IN struct number parse(int c) {
  struct number r;
  r.ok = c >= '0';
#ifdef FIX
  r.value = 0;
#endif
  if (r.ok) r.value = c - '0';
  return r;
}

struct large {
  int key, value, more[6];
};
static struct large make(int k) {
  struct large r;
  r.key = k;
#ifdef FIX
  r.value = 0;
#endif
  if (k) r.value = 5;
  return r;
}
static int use(struct large r) {
  return r.value == 6;
}
PUT_IN int no_value(int k) {
  if (k) return 5;
#ifdef FIX
  return 0;
#endif
}
static int *keep;
PUT_IN void kept(int a) {
  keep = &a;
}

int main(void) {
  int seen = 0;
#ifdef KEPT
  kept(3);
  return *keep == 7;
#endif
  for (int k = 1; k >= 0; k--) {
#ifdef RESULT
    seen += make(k).value == 6;
#elif defined PASSED
    seen += use(make(k));
#elif defined CHOSEN
    seen += (k < 9 ? make(k) : make(k + 1)).value == 6;
#elif defined LITERAL
    struct large *q = (struct large[]){make(k)};
    seen += q->value == 6;
#elif defined NO_VALUE
    seen += no_value(k) == 6;
#else
    struct number t = parse(k ? '7' : '-');
    seen += t.value == 6;
#endif
  }
#ifdef WRONG
  assert(seen);
#endif
  return seen;
}
