// The only pointer to a heap object is overwritten.
// expect: true
// states: 1
// run: --property valid-memsafety => false(valid-memtrack) states=1
// run: --property valid-memcleanup => false(valid-memcleanup) states=1
#include <stdlib.h>

static int *p;

int main(void) {
  p = malloc(sizeof *p);
  p = NULL;
  return 0;
}
