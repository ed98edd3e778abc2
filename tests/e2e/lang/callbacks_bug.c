// A comparison by difference overflows.
// expect: false(no-overflow)
// states: 1
#include <limits.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

int main(void) {
  int numbers[] = {INT_MAX, -2};
  qsort(numbers, 2, sizeof *numbers, compare);
}
