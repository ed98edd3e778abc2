#include "sum.h"

int calls;

static int counter; /* not the other unit's, if it had one */

int sum(int n) {
  counter++;
  calls = counter;
  int total = 0;
  for (int i = 1; i <= n; i++) total += i;
  return total;
}
