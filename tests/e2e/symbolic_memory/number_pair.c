// Two numbers are read from five free characters. Bounded checking with bit-vectors proves it in about two seconds; the
// other engines only lose time, so it must get its share early. The twin is content with one number.
// expect: true
// run: -- -DBUG => false(def-behavior)
#include <stdio.h>
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char s[6];
  for (int i = 0; i < 5; i++) s[i] = __VERIFIER_nondet_char();
  s[5] = 0;
  int a, b;
#ifdef BUG
  if (sscanf(s, "%d:%d", &a, &b) < 1) return 0;
#else
  if (sscanf(s, "%d:%d", &a, &b) != 2) return 0;
#endif
  int c = a + b;
  assert(c < 10000 && c > -10000);
  return 0;
}
