// Paths name each member that a copy in pieces writes, with its value (the first one had those of all in its piece once).
// expect: false(unreach-call)
// args: --property unreach-call
// message: h.a = -2
// message: h.b = 17
// message: h.c = 261
// message: h.i[1].q = true
// message: v[1] = 6
// run: --engine dpor --property unreach-call => false(unreach-call)
#include <assert.h>
#include <stdbool.h>

struct inner {
  short p;
  bool q;
};
static struct outer {
  int a : 3;
  unsigned b : 5;
  int c;
  struct inner i[2];
} g, h;

int main(void) {
  g.a = -2;
  g.b = 17;
  g.c = 5;
  g.i[1].p = 7;
  g.i[1].q = true;
  ((char *)&g.c)[1] = 1;
  h = g;
  int v[3] = {5, 6, 7};
  assert(h.c == 5);
  return v[0];
}
