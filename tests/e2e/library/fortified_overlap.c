// What fortified programs call keeps to the same rules (C11, 7.24.1).
// expect: false(def-behavior)
// run: -- -DCASE=2 => false(def-behavior)
// run: -- -DCASE=3 => false(def-behavior)
// run: -- -DCASE=11 => true
#include <stddef.h>
#ifndef CASE
#define CASE 1
#endif
char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room);
char *__strncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t room);
void *__memcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t room);
int main(void) {
  char b[32] = "abcdef 1";
  volatile size_t n = 0;
  switch (CASE) {
  case 1: __strcpy_chk(b, b + 2, sizeof b); break;
  case 2: __strncpy_chk(b + 4, b, 8, sizeof b - 4); break;
  case 3: __memcpy_chk(b, NULL, n, sizeof b); break;
  case 11: __strncpy_chk(b + 16, b, 8, sizeof b - 16); break;
  }
  return 0;
}
