// Numbers that are rounded to integers: lround away from zero at halves, lrint to even ones. What does
// not fit is unspecified in C (7.12.9.7), and no error: with LARGE a proviso. BUG takes lround for trunc.
// expect: true
// run: --32 => true
// run: -- -DLARGE => conditional
// run: --engine value -- -DLARGE => conditional
// run: -- -DLARGE=2 => conditional
// run: -- -DLARGE=3 => conditional
// run: -- -fno-math-errno => true
// run: -- -fno-math-errno -DLARGE => conditional
// run: -- -fno-math-errno -DBUG => false(unreach-call)
// run: -- -DBUG => false(unreach-call)
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
#if LARGE == 1
  return (int)llround(half * 1e300);
#elif LARGE == 2
  return (int)lrintf(half < 0 ? -0x1p63f : 0x1p63f); /* the first fits */
#elif LARGE == 3
  return (int)lroundl((long double)half * NAN);
#elif defined BUG
  assert(away == (long)half);
#else
  assert(llrintf(-0x1p63f) == INT64_MIN && llroundl(0x1p63L - 1) == INT64_MAX);
  imaxdiv_t d = imaxdiv(away, 7);
  assert(d.quot * 7 + d.rem == away);
  return 0;
#endif
}
