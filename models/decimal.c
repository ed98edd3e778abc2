/* decimal.c -- exact decimal fixed-point numbers (decimal.h). */
#include "decimal.h"

static const uint32_t powers[PV_LIMB_DIGITS] = {1,      10,      100,      1000,     10000,
                                                100000, 1000000, 10000000, 100000000};

/* Drops zero limbs at both ends; an empty number is placed at the point. */
static void trim(struct pv_decimal *d) {
  while (d->high < d->low && d->limb[d->high] == 0) d->high++;
  while (d->high < d->low && d->limb[d->low - 1] == 0) d->low--;
  if (d->high == d->low) d->high = d->low = d->point;
}

void __proviso_decimal_set(struct pv_decimal *d, uint64_t value) {
  for (d->high = d->low = d->point; value > 0; value /= PV_LIMB)
    d->limb[--d->high] = (uint32_t)(value % PV_LIMB);
  trim(d);
}

void __proviso_decimal_left(struct pv_decimal *d, int k) {
  uint64_t carry = 0;
  for (int i = d->low - 1; i >= d->high; i--) {
    uint64_t t = ((uint64_t)d->limb[i] << k) + carry;
    d->limb[i] = (uint32_t)(t % PV_LIMB);
    carry = t / PV_LIMB;
  }
  if (carry > 0) d->limb[--d->high] = (uint32_t)carry;
  trim(d);
}

void __proviso_decimal_right(struct pv_decimal *d, int k) {
  uint64_t rest = 0, mask = ((uint64_t)1 << k) - 1;
  for (int i = d->high; i < d->low || rest > 0; i++) {
    if (i == d->low) d->limb[d->low++] = 0;
    uint64_t t = rest * PV_LIMB + d->limb[i];
    d->limb[i] = (uint32_t)(t >> k);
    rest = t & mask;
  }
  trim(d);
}

void __proviso_decimal_scale(struct pv_decimal *d, int k) {
  int step;
  for (; k > 0; k -= step) __proviso_decimal_left(d, step = k < 29 ? k : 29);
  for (; k < 0; k += step) __proviso_decimal_right(d, step = k > -29 ? -k : 29);
}

/* The index of the limb that contains 10^position; *within is the power inside of the limb. */
static int64_t place(const struct pv_decimal *d, int position, int *within) {
  int64_t p = position, index = p / PV_LIMB_DIGITS;
  if (p % PV_LIMB_DIGITS < 0) index--;
  *within = (int)(p - index * PV_LIMB_DIGITS);
  return d->point - 1 - index;
}

int __proviso_decimal_digit(const struct pv_decimal *d, int position) {
  int within;
  int64_t i = place(d, position, &within);
  return i < d->high || i >= d->low ? 0 : (int)(d->limb[i] / powers[within] % 10);
}

int __proviso_decimal_exponent(const struct pv_decimal *d) {
  if (d->high == d->low) return 0;
  int n = 0;
  while (n + 1 < PV_LIMB_DIGITS && d->limb[d->high] >= powers[n + 1]) n++;
  return (d->point - 1 - d->high) * PV_LIMB_DIGITS + n;
}

void __proviso_decimal_add(struct pv_decimal *d, int position, unsigned digit) {
  int within;
  int i = (int)place(d, position, &within);
  if (d->high == d->low) {
    d->high = d->low = i;
  }
  while (d->high > i) d->limb[--d->high] = 0;
  while (d->low <= i) d->limb[d->low++] = 0;
  uint32_t carry = digit * powers[within];
  for (; carry > 0; i--) {
    if (i < d->high) d->limb[--d->high] = 0;
    carry += d->limb[i];
    d->limb[i] = carry % PV_LIMB;
    carry /= PV_LIMB;
  }
}

void __proviso_decimal_round(struct pv_decimal *d, int position) {
  int within;
  int64_t i = place(d, position, &within);
  if (i >= d->low || d->high == d->low) return; /* no digits below that position */
  int first = position == INT_MIN ? 0 : __proviso_decimal_digit(d, position - 1);
  bool up = first > 5;
  if (first == 5) {
    int below;
    int64_t j = place(d, position - 1, &below);
    bool more = d->limb[j] % powers[below] != 0; /* trimmed, so further limbs are not all zero */
    up = more || j + 1 < d->low || __proviso_decimal_digit(d, position) % 2 != 0;
  }
  if (i < d->high) {
    d->high = d->low = d->point; /* the whole number is below the position */
  } else {
    d->limb[i] -= d->limb[i] % powers[within];
    d->low = (int)i + 1;
    trim(d);
  }
  if (up) __proviso_decimal_add(d, position, 1);
}
