// A heap object still lives at the end, but is known: cleaned up it is not, lost neither.
// expect: true
// states: 1
// run: --property valid-memcleanup => false(valid-memcleanup) states=1
// run: --property valid-memtrack => true states=1
#include <stdlib.h>

static int *p;

int main(void) {
  p = malloc(sizeof *p);
  return 0;
}
