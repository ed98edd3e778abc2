// A heap object is freed twice.
// expect: false(valid-free)
// states: 1
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  free(p);
  free(p);
}
