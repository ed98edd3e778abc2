// A local variable is freed.
// expect: false(valid-free)
// states: 1
#include <stdlib.h>

static void drop(void *p) {
  free(p);
}

int main(void) {
  int x = 0;
  drop(&x);
}
