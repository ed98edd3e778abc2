// One element behind the end of a heap array is written.
// expect: false(valid-deref)
// states: 1
#include <stdlib.h>

int main(void) {
  int *a = malloc(4 * sizeof *a);
  if (!a) return 0;
  for (int i = 0; i <= 4; i++) a[i] = i;
  free(a);
}
