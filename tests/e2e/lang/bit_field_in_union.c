// A byte of a union sets the bit-fields in it.
// args: --property unreach-call,def-behavior,valid-memsafety
// expect: true
// states: 1
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

int main(void) {
  union U *u = malloc(sizeof *u);
  u->bits.low = 1;
#ifdef UNSET
  assert(u->bits.high <= 3);
#endif
  u->byte = 6;
  assert(u->bits.high == 3 && u->bits.low == 0);
  free(u);
  return 0;
}
