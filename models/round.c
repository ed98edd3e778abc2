/* round.c -- numbers that are rounded to integers: lround and lrint of math.h, and their kin.
 *
 * If the result does not fit, or the argument is NaN, the result is unspecified (C11, 7.12.9.5 and
 * 7.12.9.7). That is no error; the path ends with a proviso. */
#include "model.h"

/* Of a type of n bits: both bounds are powers of two, which each type of floats represents. */
#define BOUND(TYPE) ((long double)((TYPE)1 << (sizeof(TYPE) * CHAR_BIT - 2)) * 2)

#define ROUND(NAME, RESULT, ARGUMENT, ROUNDED)                                                     \
  RESULT NAME(ARGUMENT x) {                                                                        \
    ARGUMENT rounded = ROUNDED(x), bound = (ARGUMENT)BOUND(RESULT);                                \
    if (!(-bound <= rounded && rounded < bound))                                                   \
      __proviso_unsupported(#NAME " of a number that does not fit");                               \
    return (RESULT)rounded;                                                                        \
  }

ROUND(lround, long, double, __builtin_round)
ROUND(lroundf, long, float, __builtin_roundf)
ROUND(lroundl, long, long double, __builtin_roundl)
ROUND(llround, long long, double, __builtin_round)
ROUND(llroundf, long long, float, __builtin_roundf)
ROUND(llroundl, long long, long double, __builtin_roundl)
ROUND(lrint, long, double, __builtin_rint)
ROUND(lrintf, long, float, __builtin_rintf)
ROUND(lrintl, long, long double, __builtin_rintl)
ROUND(llrint, long long, double, __builtin_rint)
ROUND(llrintf, long long, float, __builtin_rintf)
ROUND(llrintl, long long, long double, __builtin_rintl)
