/* decimal.h -- exact decimal fixed-point numbers, for printing and reading binary floats.
 *
 * A number is an array of limbs of nine decimal digits, the most significant first. Limb `point -
 * 1` holds the ones. Multiplication and division by powers of two are exact. A division by 2^k
 * needs k more digits; the callers' arrays are large enough for every float of the type. */
#ifndef PV_DECIMAL_H
#define PV_DECIMAL_H

#include "model.h"

enum {
  PV_LIMB = 1000000000,
  PV_LIMB_DIGITS = 9,
  /* printing: a double has up to 309 digits before the point and 1074 after it; a long double has
   * 4933 and 16445 */
  PV_DOUBLE_POINT = 36,
  PV_DOUBLE_LIMBS = PV_DOUBLE_POINT + 122,
  PV_LONG_POINT = 551,
  PV_LONG_LIMBS = PV_LONG_POINT + 1830,
  /* reading: the digits that are kept, and those that the divisions add */
  PV_DOUBLE_DIGITS = 800,
  PV_READ_DOUBLE_LIMBS = PV_DOUBLE_POINT + 180,
  PV_LONG_DIGITS = 11600,
  PV_READ_LONG_LIMBS = PV_LONG_POINT + 2600
};

struct pv_decimal {
  uint32_t *limb;
  int size, point;
  int high, low; /* limbs in use: high..low-1; none: the number is 0 */
};

static inline void pv_decimal_init(struct pv_decimal *d, uint32_t *limb, int size, int point) {
  d->limb = limb;
  d->size = size;
  d->point = point;
  d->high = d->low = point;
}
void __proviso_decimal_set(struct pv_decimal *d, uint64_t value); /* *d must be fresh */
void __proviso_decimal_left(struct pv_decimal *d, int k);         /* times 2^k, k <= 29 */
void __proviso_decimal_right(struct pv_decimal *d, int k);        /* divided by 2^k, k <= 29 */
void __proviso_decimal_scale(struct pv_decimal *d, int k);        /* times 2^k, any k */
/* The digit at 10^position. */
int __proviso_decimal_digit(const struct pv_decimal *d, int position);
/* The exponent of the first digit; 0 for the number 0. */
int __proviso_decimal_exponent(const struct pv_decimal *d);
/* Adds digit * 10^position. The limb must not overflow. */
void __proviso_decimal_add(struct pv_decimal *d, int position, unsigned digit);
/* Rounds to a multiple of 10^position, halves to even. */
void __proviso_decimal_round(struct pv_decimal *d, int position);

#endif
