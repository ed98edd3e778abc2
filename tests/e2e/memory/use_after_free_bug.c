// A heap object is read after it was freed.
// expect: false(valid-deref)
// states: 1
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = 1;
  free(p);
  return *p;
}
