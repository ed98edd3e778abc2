// Statistics of temperatures on standard input.
// bug: none
// expect: true
// args:
// stdin: 20 30
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
  if (n == 0) {
    puts("no values");
    return 0;
  }
  int lowest = values[0], highest = values[0];
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
