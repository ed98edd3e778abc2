// Statistics of temperatures on standard input.
// bug: def-behavior: no values at all: division by zero
// expect: false(def-behavior)
// args:
// stdin: 20 30
// trigger args:
// trigger stdin: x
#include <stdio.h>

enum { MOST = 4 };

int main(void) {
  int values[MOST], n = 0, value;
  long sum = 0;
  while (n < MOST && scanf("%d", &value) == 1) {
    if (value < -273 || value > 10000)
      continue;
    values[n++] = value;
  }
  int lowest = 10000, highest = -273;
  for (int i = 0; i < n; i++) {
    sum += values[i];
    if (values[i] < lowest)
      lowest = values[i];
    if (values[i] > highest)
      highest = values[i];
  }
  printf("%d to %d, mean %ld\n", lowest, highest, sum / n);
  return 0;
}
