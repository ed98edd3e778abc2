// The old pointer is used after realloc.
// expect: false(valid-deref)
// states: 1
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = 1;
  int *q = realloc(p, 100 * sizeof *q);
  if (q) *p = 2;
  free(q);
}
