// A pointer into the middle of a heap object is freed.
// expect: false(valid-free)
// states: 1
#include <stdlib.h>

static char *skip(char *p) {
  return p + 1;
}

int main(void) {
  char *p = malloc(4);
  if (!p) return 0;
  free(skip(p));
}
