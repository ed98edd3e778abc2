/* wide.h -- integers of 128 bits. */
#ifndef PV_WIDE_H
#define PV_WIDE_H

__extension__ typedef unsigned __int128 pv_u128;
__extension__ typedef __int128 pv_i128;

/* The greatest common divisor; nonnegative. */
static inline pv_i128 pv_i128_gcd(pv_i128 a, pv_i128 b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b) {
    pv_i128 r = a % b;
    a = b;
    b = r;
  }
  return a;
}

#endif
