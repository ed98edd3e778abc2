// Of a class whose constructor is in another file clang tells only the size: what its members are is not known, so that what is unset in it stays unset
// when it is passed (it was taken for padding, and `true` was said).
// expect: false(def-behavior)
// run: --engine dpor => false(def-behavior)
// run: -- -DFIX => true
// run: -- -DFIX -DWRONG => false(unreach-call)
#include <cassert>
#include <new>

struct In {
  In(int);
  int first, second;
};

static int take(In in) { return in.first; }

int main() {
  In *at = static_cast<In *>(operator new(sizeof(In)));
#ifdef FIX
  at->first = 0;
#endif
#ifdef WRONG
  at->first = 1;
#endif
  at->second = 1;
  In copy = *at;
  operator delete(at);
  int first = take(copy);
  assert(first == 0);
  return 0;
}
