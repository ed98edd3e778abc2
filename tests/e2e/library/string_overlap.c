// Overlapping arguments of string.h that are declared restrict.
// expect: false(def-behavior)
// run: -- -DCASE=2 => false(def-behavior)
// run: -- -DCASE=3 => false(def-behavior)
// run: -- -DCASE=4 => false(def-behavior)
// run: -- -DCASE=5 => false(def-behavior)
// run: -- -DCASE=6 => false(def-behavior)
// run: -- -DCASE=7 => false(def-behavior)
// run: -- -DCASE=11 => true
// run: -- -DCASE=12 => true
// run: -- -DCASE=13 => true
// run: -- -DCASE=14 => true
// run: -- -DCASE=15 => true
#include <stdio.h>
#include <string.h>
#ifndef CASE
#define CASE 1
#endif
struct pair {
  char text[8];
  int n;
};
int main(void) {
  char b[32] = "abcdef 1";
  struct pair p = {"x", 1}, *q = &p;
  int n = 0;
  switch (CASE) {
  case 1: strcpy(b, b + 2); break;
  case 2: strcat(b, b); break;
  case 3: strncpy(b + 4, b, 8); break; /* the zeros behind the text */
  case 4: sscanf(b, "%s", b); break;
  case 5: sscanf(b, "%*s %d", (int *)(void *)b); break;
  case 6: strcpy(b, b); break;
  case 7: strxfrm(b, b + 1, sizeof b - 1); break;
  case 11: memmove(b, b + 2, strlen(b + 2) + 1); break;
  case 12: strncpy(b + 16, b, 8); break;
  case 13: strncat(b, "g", 1); break;
  case 14: *q = p; break; /* to itself, as C allows */
  case 15: sscanf(b, "%8s %d", b + 16, &n); break;
  }
  return n > 1;
}
