// Reading the lowest bit-field is no change of it: it has to be set.
//
// args: --property def-behavior
// expect: false(def-behavior)
// states: 1
// run: --property def-behavior -- -DSET => true states=1
// run: --property def-behavior -- -DSET -DZERO => true states=1
#include <stdlib.h>

struct flags {
  unsigned mode : 3, ready : 5;
};

int main(void) {
  struct flags *f = malloc(sizeof *f);
#ifdef ZERO
  f->mode = 0;
#elif defined SET
  f->mode = 1;
#endif
  f->ready = 2;
  int mode = f->mode;
  free(f);
  return mode;
}
