// A byte of a union sets the bit-fields in it. Who reads unions may see the padding of what is passed by value, which is told of.
// args: --property unreach-call,def-behavior,valid-memsafety
// expect: true
// states: 1
// run: -- -DPASSED => conditional
// run: -- -DUNSET => false(def-behavior)
#include <assert.h>
#include <stdlib.h>

struct P {
  unsigned low : 1, high : 2;
};
union U {
  struct P bits;
  unsigned char byte;
};

#ifdef PASSED
static unsigned both(struct P p) { return p.low + p.high; }
#endif

int main(void) {
  union U *u = malloc(sizeof *u);
  u->bits.low = 1;
#ifdef UNSET
  assert(u->bits.high <= 3);
#endif
  u->byte = 6;
  assert(u->bits.high == 3 && u->bits.low == 0);
  free(u);
#ifdef PASSED
  struct P p;
  p.low = 1;
  p.high = 2;
  assert(both(p) == 3);
#endif
  return 0;
}
