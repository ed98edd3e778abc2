// Function pointers: in tables, as arguments, to the C library.
// expect: true
// states: 1
#include <assert.h>
#include <stdlib.h>

static int add(int a, int b) {
  return a + b;
}
static int sub(int a, int b) {
  return a - b;
}
static int (*const table[])(int, int) = {add, sub};

static int apply(int (*f)(int, int), int a, int b) {
  return f(a, b);
}

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

int main(void) {
  int numbers[] = {3, 1, 2}, wanted = 2;
  assert(apply(table[0], 4, 3) == 7 && apply(table[1], 4, 3) == 1);
  qsort(numbers, 3, sizeof *numbers, compare);
  assert(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
  int *found = bsearch(&wanted, numbers, 3, sizeof *numbers, compare);
  assert(found == numbers + 1);
}
