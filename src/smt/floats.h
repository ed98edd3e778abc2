/* floats.h -- circuits on IEEE floats. A float is a word (words.h): fraction, exponent, sign. There
 * is one NaN: all NaNs have the same bits, so that equal values are equal words. Rounding is to
 * nearest, ties to even. Private to src/smt. */
#ifndef PV_SMT_FLOATS_H
#define PV_SMT_FLOATS_H

#include "smt/words.h"

struct pv_float_format {
  uint32_t fraction, exponent; /* numbers of bits, without the leading one of the significand */
};
static inline uint32_t pv_float_bits(struct pv_float_format f) {
  return f.fraction + f.exponent + 1;
}

/* Any bits as a float. */
void pv_float_of_bits(struct pv_sat *t, struct pv_float_format f, const int *bits, int *out);
int pv_float_is_nan(struct pv_sat *t, struct pv_float_format f, const int *x);
int pv_float_is_infinite(struct pv_sat *t, struct pv_float_format f, const int *x);
int pv_float_is_zero(struct pv_sat *t, struct pv_float_format f, const int *x);
/* Comparisons as in C: false for NaN; zeros are equal. */
int pv_float_equal(struct pv_sat *t, struct pv_float_format f, const int *x, const int *y);
int pv_float_below(struct pv_sat *t, struct pv_float_format f, const int *x, const int *y,
                   bool or_equal);
/* NaN stays as it is. */
void pv_float_negate(struct pv_sat *t, struct pv_float_format f, const int *x, int *out);
void pv_float_absolute(struct pv_sat *t, struct pv_float_format f, const int *x, int *out);
/* Rounds to a whole number, towards 0. */
void pv_float_truncate(struct pv_sat *t, struct pv_float_format f, const int *x, int *out);
void pv_float_convert(struct pv_sat *t, struct pv_float_format from, const int *x,
                      struct pv_float_format to, int *out);
void pv_float_of_integer(struct pv_sat *t, uint32_t n, const int *x, bool is_signed,
                         struct pv_float_format to, int *out);
/* Rounds towards 0. Out of range: any value. At most 128 bits. */
void pv_float_to_integer(struct pv_sat *t, struct pv_float_format f, const int *x, uint32_t n,
                         bool is_signed, int *out);
void pv_float_product(struct pv_sat *t, struct pv_float_format f, const int *x, const int *y,
                      int *out);

#endif
