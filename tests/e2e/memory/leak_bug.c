// A heap object still lives at the end, but is known: cleaned up it is not, lost neither.
// expect: true
// run: --property valid-memcleanup => false(valid-memcleanup)
// run: --property valid-memtrack => true
#include <stdlib.h>

static int *p;

int main(void) {
  p = malloc(sizeof *p);
  return 0;
}
