// The only pointer to a heap object is overwritten.
// expect: true
// run: --property valid-memsafety => false(valid-memtrack)
// run: --property valid-memcleanup => false(valid-memcleanup)
#include <stdlib.h>

static int *p;

int main(void) {
  p = malloc(sizeof *p);
  p = NULL;
  return 0;
}
