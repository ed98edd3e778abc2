// A free number as text: the intervals of terms bound the quotients of the repeated division, and so the number of digits.
// expect: true
// args: --engine bmc --integers bitvector
// proof: none
// run: --engine bmc --integers bitvector -- -DBUG => false(def-behavior)
// run: => true
// run: -- -DBUG => false(def-behavior)
// run: -- -DSHORT => false(valid-deref)
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
#ifdef SHORT /* eleven characters and the end do not fit */
  char text[11];
  int n = sprintf(text, "%d", __VERIFIER_nondet_int());
#else
  char text[12];
  int n = snprintf(text, sizeof text, "%d", __VERIFIER_nondet_int());
#endif
#ifdef BUG
  text[n] = '!'; /* n may be 11 */
  text[n + 1] = 0;
#else
  if ((size_t)n + 1 < sizeof text) {
    text[n] = '!';
    text[n + 1] = 0;
  }
#endif
  return (int)strlen(text);
}
