// sprintf and snprintf whose format is a literal: calls for its pieces. Those whose format is read from memory give the same.
// expect: true
// states: 2
// run: --32 => true states=2
// run: -- -DCASE=1 => false(valid-deref)
// run: -- -DCASE=2 => false(def-behavior)
// run: -- -DCASE=3 => false(def-behavior)
// run: -- -DCASE=4 => false(def-behavior)
// run: -- -DCASE=5 => false(unreach-call)
// run: -- -DCASE=6 => false(valid-deref)
// run: -- -DCASE=7 => true
// run: --engine bmc -- -DCASE=1 => false(valid-deref)
// run: --engine bmc -- -DCASE=2 => false(def-behavior)
// run: --engine bmc -- -DCASE=3 => false(def-behavior)
// run: --engine bmc -- -DCASE=4 => false(def-behavior)
// run: --engine bmc -- -DCASE=5 => false(unreach-call)
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#ifndef CASE
#define CASE 0
#endif
extern _Bool __VERIFIER_nondet_bool(void);

#define BOTH(FORMAT, ...)                                                                                                      \
  do {                                                                                                                         \
    static char format[] = FORMAT;                                                                                             \
    char a[32] = "", b[32] = "";                                                                                               \
    int n = sprintf(a, FORMAT, __VA_ARGS__);                                                                                   \
    assert(n == sprintf(b, format, __VA_ARGS__) && !memcmp(a, b, sizeof a));                                                   \
    assert(n == snprintf(a, 4, FORMAT, __VA_ARGS__) && strlen(a) == (n < 3 ? n : 3));                                          \
    assert(snprintf(b, 4, format, __VA_ARGS__) == n && !memcmp(a, b, sizeof a));                                               \
    assert(snprintf(NULL, 0, FORMAT, __VA_ARGS__) == n);                                                                       \
  } while (0)

int main(void) {
  char b[8] = "ab", *none = NULL;
  int unset, set = __VERIFIER_nondet_bool() ? 12 : 123;
  switch (CASE) {
  case 1: sprintf(b, "%06d", 1234567); sprintf(b, "%d-%d", set, 4567); break; /* one byte too few, if set is 123 */
  case 2: sprintf(b, "%d", unset); break;
  case 3: sprintf(b + 3, "%s", none); break;
  case 4: sprintf(b, "%d%s", set, b); break; /* overwritten before it is read */
  case 5: assert(snprintf(b, sizeof b, "%d%%%s", set, "abcd") < 8); break;
  case 6: sprintf(none, "x"); break;
  case 7: sprintf(b + 4, "%.1s%c%x", b, 'c', 10u); break;
  default:
    BOTH("%d", INT_MIN);
    BOTH("%u,%x", UINT_MAX, 0xcafeu);
    BOTH("%ld%%", set == 12 ? LONG_MAX : -1L);
    BOTH("<%5d|%-5d|%05d>", set, -set, -set);
    BOTH("%hhd %c%s", 300, 'x', "text");
    BOTH("%.*s|%+.3d", 2, "text", 7);
  }
  return 0;
}
