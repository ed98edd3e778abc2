// Numbers that are rounded to integers: lround away from zero at halves, lrint to even ones. In the twin the result does not
// fit.
// expect: true
// run: -- -DBUG => false(def-behavior)
#include <assert.h>
#include <inttypes.h>
#include <math.h>
extern signed char __VERIFIER_nondet_char(void);

int main(void) {
  double half = __VERIFIER_nondet_char() + 0.5;
  long away = lround(half), even = lrint(half);
  assert(away == (half < 0 ? (long)(half - 0.5) : (long)(half + 0.5)));
  assert(even % 2 == 0 && (even - half == 0.5 || half - even == 0.5));
  assert(lroundf(-2.5f) == -3 && llround(2.4) == 2 && llrintl(3.5L) == 4);
#ifdef BUG
  return (int)llround(half * 1e300);
#else
  imaxdiv_t d = imaxdiv(away, 7);
  assert(d.quot * 7 + d.rem == away);
  return 0;
#endif
}
