// Null pointers for no bytes at all (C11, 7.24.1).
// expect: false(def-behavior)
// message: a null pointer is passed
// run: -- -DCASE=2 => false(def-behavior)
// run: -- -DCASE=3 => false(def-behavior)
// run: -- -DCASE=4 => false(def-behavior)
// run: -- -DCASE=11 => true
// run: -- -DCASE=12 => true
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef CASE
#define CASE 1
#endif
static int order(const void *a, const void *b) {
  return *(const char *)a - *(const char *)b;
}
int main(void) {
  char b[4] = "abc", *none = NULL;
  volatile size_t n = 0;
  switch (CASE) {
  case 1: memcpy(b, none, n); break;
  case 2: memset(none, 0, n); break;
  case 3: return memcmp(b, none, n);
  case 4: qsort(none, n, 1, order); break;
  case 11: memcpy(b, b + 2, n); break;
  case 12: return snprintf(none, n, "%d", 7) != 1;
  }
  return 0;
}
