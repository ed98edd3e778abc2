// A structured binding names a part of what is there: its type is not that of the whole (padding was looked for at wrong places, and `false` was said).
// expect: true
// args: -- -std=c++17
// run: --engine dpor -- -std=c++17 => true
// run: -- -std=c++17 -DWRONG => false(unreach-call)
#include <cassert>

struct In {
  char a;
  int b;
  char c;
};
struct Out {
  int : 32;
  In in;
};
static Out make() {
  Out x;
  x.in.a = 1;
  x.in.b = 0x01020304;
  x.in.c = 2;
  return x;
}

int main() {
  auto [in] = make();
#ifdef WRONG
  assert(in.a != 1);
#endif
  assert(in.b == 0x01020304 && in.a == 1 && in.c == 2);
}
