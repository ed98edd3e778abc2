#include "smt/floats.h"

#include <string.h>

enum { EXPONENT = 20 }; /* bits of exponents without bias, signed */

/* A float taken apart: significand * 2^(exponent - fraction bits). The top bit of the significand
 * is set, unless the float is 0, infinite or NaN. */
struct parts {
  int sign, zero, infinite, nan;
  int exponent[EXPONENT];
  int significand[PV_WORD_WIDEST];
};

static uint64_t bias_of(struct pv_float_format f) {
  return (UINT64_C(1) << (f.exponent - 1)) - 1;
}
static const int *exponent_of(struct pv_float_format f, const int *x) {
  return x + f.fraction;
}
static int sign_of(struct pv_float_format f, const int *x) {
  return x[f.fraction + f.exponent];
}

int pv_float_is_nan(struct pv_sat *t, struct pv_float_format f, const int *x) {
  return pv_sat_and(t, pv_word_all_are(t, f.exponent, exponent_of(f, x), PV_SAT_TRUE),
                    -pv_word_all_are(t, f.fraction, x, PV_SAT_FALSE));
}
int pv_float_is_infinite(struct pv_sat *t, struct pv_float_format f, const int *x) {
  return pv_sat_and(t, pv_word_all_are(t, f.exponent, exponent_of(f, x), PV_SAT_TRUE),
                    pv_word_all_are(t, f.fraction, x, PV_SAT_FALSE));
}
int pv_float_is_zero(struct pv_sat *t, struct pv_float_format f, const int *x) {
  return pv_word_all_are(t, f.fraction + f.exponent, x, PV_SAT_FALSE);
}

/* The only NaN. */
static void make_nan(struct pv_float_format f, int *out) {
  pv_word_constant(pv_float_bits(f), PV_SAT_FALSE, out);
  pv_word_constant(f.exponent + 1, PV_SAT_TRUE, out + f.fraction - 1);
}

void pv_float_of_bits(struct pv_sat *t, struct pv_float_format f, const int *bits, int *out) {
  int nan[PV_WORD_WIDEST];
  make_nan(f, nan);
  pv_word_choose(t, pv_float_bits(f), pv_float_is_nan(t, f, bits), nan, bits, out);
}

/* ---- comparisons ----------------------------------------------------------------------------- */
static int is_ordered(struct pv_sat *t, struct pv_float_format f, const int *x, const int *y) {
  return pv_sat_and(t, -pv_float_is_nan(t, f, x), -pv_float_is_nan(t, f, y));
}

static int are_zero(struct pv_sat *t, struct pv_float_format f, const int *x, const int *y) {
  return pv_sat_and(t, pv_float_is_zero(t, f, x), pv_float_is_zero(t, f, y));
}

int pv_float_equal(struct pv_sat *t, struct pv_float_format f, const int *x, const int *y) {
  int same = pv_word_equal(t, pv_float_bits(f), x, y);
  return pv_sat_and(t, is_ordered(t, f, x, y), pv_sat_or(t, same, are_zero(t, f, x, y)));
}

int pv_float_below(struct pv_sat *t, struct pv_float_format f, const int *x, const int *y,
                   bool or_equal) {
  uint32_t n = f.fraction + f.exponent;
  int strict = or_equal ? PV_SAT_TRUE : PV_SAT_FALSE, zeros = are_zero(t, f, x, y);
  int s = sign_of(f, x), u = sign_of(f, y);
  int up = pv_word_below(t, n, x, y, strict), down = pv_word_below(t, n, y, x, strict);
  int less = pv_sat_ite(t, s, pv_sat_or(t, -u, down), pv_sat_and(t, -u, up));
  return pv_sat_and(t, is_ordered(t, f, x, y), pv_sat_ite(t, zeros, strict, less));
}

/* ---- signs, whole numbers -------------------------------------------------------------------- */
void pv_float_negate(struct pv_sat *t, struct pv_float_format f, const int *x, int *out) {
  uint32_t n = f.fraction + f.exponent;
  int sign = pv_sat_xor(t, sign_of(f, x), -pv_float_is_nan(t, f, x));
  memmove(out, x, n * sizeof *out);
  out[n] = sign;
}

void pv_float_absolute(struct pv_sat *t, struct pv_float_format f, const int *x, int *out) {
  uint32_t n = f.fraction + f.exponent;
  int sign = pv_sat_and(t, sign_of(f, x), PV_SAT_FALSE);
  memmove(out, x, n * sizeof *out);
  out[n] = sign;
}

/* Is the exponent, with its bias, at least this number? */
static int is_at_least(struct pv_sat *t, struct pv_float_format f, const int *x, uint64_t number) {
  int least[PV_WORD_WIDEST];
  pv_word_number(f.exponent, number, least);
  return pv_word_below(t, f.exponent, least, exponent_of(f, x), PV_SAT_TRUE);
}

void pv_float_truncate(struct pv_sat *t, struct pv_float_format f, const int *x, int *out) {
  int whole = is_at_least(t, f, x, bias_of(f)); /* at least 1; infinite; NaN */
  for (uint32_t i = 0; i < f.fraction; i++)
    out[i] = pv_sat_and(t, x[i], is_at_least(t, f, x, bias_of(f) + f.fraction - i));
  for (uint32_t i = f.fraction; i < f.fraction + f.exponent; i++)
    out[i] = pv_sat_and(t, x[i], whole);
  out[f.fraction + f.exponent] = sign_of(f, x);
}

/* ---- taking apart and rounding --------------------------------------------------------------- */
/* Shifts to the left until the top bit is set; subtracts from the exponent how far. */
static void normalise(struct pv_sat *t, uint32_t n, int *word, int *exponent) {
  int moved[PV_WORD_WIDEST], by[EXPONENT], count[EXPONENT];
  pv_word_constant(EXPONENT, PV_SAT_FALSE, count);
  uint32_t stages = 0;
  while (((uint64_t)2 << stages) <= n) stages++;
  for (uint32_t stage = stages + 1; stage-- > 0;) {
    uint32_t far = 1u << stage;
    if (far >= n) continue;
    int c = pv_word_all_are(t, far, word + n - far, PV_SAT_FALSE);
    for (uint32_t i = 0; i < n; i++) moved[i] = i >= far ? word[i - far] : PV_SAT_FALSE;
    pv_word_choose(t, n, c, moved, word, word);
    count[stage] = c;
  }
  pv_word_invert(EXPONENT, count, by);
  pv_word_sum(t, EXPONENT, exponent, by, PV_SAT_TRUE, exponent);
}

/* Adds a number to an exponent. */
static void move_exponent(struct pv_sat *t, const int *exponent, int64_t by, int *out) {
  int number[EXPONENT];
  pv_word_number(EXPONENT, (uint64_t)by, number);
  pv_word_sum(t, EXPONENT, exponent, number, PV_SAT_FALSE, out);
}

static void take_apart(struct pv_sat *t, struct pv_float_format f, const int *x, struct parts *p) {
  int special = pv_word_all_are(t, f.exponent, exponent_of(f, x), PV_SAT_TRUE);
  int small = pv_word_all_are(t, f.exponent, exponent_of(f, x), PV_SAT_FALSE);
  int none = pv_word_all_are(t, f.fraction, x, PV_SAT_FALSE);
  p->sign = sign_of(f, x);
  p->zero = pv_sat_and(t, small, none);
  p->infinite = pv_sat_and(t, special, none);
  p->nan = pv_sat_and(t, special, -none);
  memcpy(p->significand, x, f.fraction * sizeof *x);
  p->significand[f.fraction] = -small;
  pv_word_constant(EXPONENT, PV_SAT_FALSE, p->exponent);
  memcpy(p->exponent, exponent_of(f, x), f.exponent * sizeof *x);
  p->exponent[0] = pv_sat_or(t, p->exponent[0], small); /* subnormals have the exponent 1 */
  move_exponent(t, p->exponent, -(int64_t)bias_of(f), p->exponent);
  normalise(t, f.fraction + 1, p->significand, p->exponent);
}

/* Shifts to the right. What is cut off is joined to the lowest bit. */
static void shift_right(struct pv_sat *t, uint32_t n, int *word, const int *by) {
  int moved[PV_WORD_WIDEST], zero[PV_WORD_WIDEST], far = PV_SAT_FALSE, rest = PV_SAT_FALSE;
  for (uint32_t stage = 0; stage < EXPONENT; stage++) {
    uint64_t distance = UINT64_C(1) << stage;
    if (distance >= n) {
      far = pv_sat_or(t, far, by[stage]);
      continue;
    }
    int cut = -pv_word_all_are(t, (uint32_t)distance, word, PV_SAT_FALSE);
    rest = pv_sat_or(t, rest, pv_sat_and(t, by[stage], cut));
    for (uint32_t i = 0; i < n; i++)
      moved[i] = i + distance < n ? word[i + distance] : PV_SAT_FALSE;
    pv_word_choose(t, n, by[stage], moved, word, word);
  }
  rest = pv_sat_or(t, rest, pv_sat_and(t, far, -pv_word_all_are(t, n, word, PV_SAT_FALSE)));
  pv_word_constant(n, PV_SAT_FALSE, zero);
  pv_word_choose(t, n, far, zero, word, word);
  word[0] = pv_sat_or(t, word[0], rest);
}

/* The float nearest to significand * 2^(exponent - n + 1), where the top bit of the n bits of the
 * significand is set unless it is zero. may_leave: it may be too large or too small to be normal.
 */
static void put_together(struct pv_sat *t, const struct parts *p, uint32_t n, bool may_leave,
                         struct pv_float_format f, int *out) {
  const uint32_t all = pv_float_bits(f), least = f.fraction + 3, wide = n > least ? n : least;
  int word[PV_WORD_WIDEST], biased[EXPONENT], away[EXPONENT], one[EXPONENT], top[EXPONENT];
  int result[PV_WORD_WIDEST], special[PV_WORD_WIDEST], zero[PV_WORD_WIDEST];
  int small = PV_SAT_FALSE, large = PV_SAT_FALSE;
  pv_word_constant(wide - n, PV_SAT_FALSE, word);
  memcpy(word + wide - n, p->significand, n * sizeof *word);
  move_exponent(t, p->exponent, (int64_t)bias_of(f), biased);
  if (may_leave) {
    pv_word_number(EXPONENT, 1, one);
    pv_word_number(EXPONENT, (UINT64_C(1) << f.exponent) - 1, top);
    small = pv_word_signed_below(t, EXPONENT, biased, one, PV_SAT_FALSE);
    large = pv_word_signed_below(t, EXPONENT, top, biased, PV_SAT_TRUE);
    pv_word_invert(EXPONENT, biased, away);
    pv_word_sum(t, EXPONENT, one, away, PV_SAT_TRUE, away); /* 1 - biased */
    for (uint32_t i = 0; i < EXPONENT; i++) away[i] = pv_sat_and(t, away[i], small);
    shift_right(t, wide, word, away);
  }
  /* The fraction and, above it, the exponent: rounding up carries into it. */
  memcpy(result, word + wide - 1 - f.fraction, f.fraction * sizeof *result);
  for (uint32_t i = 0; i <= f.exponent; i++)
    result[f.fraction + i] = pv_sat_and(t, biased[i], -small);
  int half = word[wide - 2 - f.fraction];
  int rest = -pv_word_all_are(t, wide - 2 - f.fraction, word, PV_SAT_FALSE);
  int up = pv_sat_and(t, half, pv_sat_or(t, rest, result[0]));
  pv_word_constant(all, PV_SAT_FALSE, zero);
  pv_word_sum(t, all, result, zero, up, result);
  /* infinite */
  large = pv_sat_or(t, large, pv_word_all_are(t, f.exponent, result + f.fraction, PV_SAT_TRUE));
  large = pv_sat_or(t, pv_sat_and(t, large, -p->zero), p->infinite);
  pv_word_constant(all, PV_SAT_FALSE, special);
  pv_word_constant(f.exponent, PV_SAT_TRUE, special + f.fraction);
  pv_word_choose(t, all, p->zero, zero, result, result);
  pv_word_choose(t, all, large, special, result, result);
  result[all - 1] = p->sign;
  make_nan(f, special);
  pv_word_choose(t, all, p->nan, special, result, out);
}

/* ---- conversions, products ------------------------------------------------------------------- */
void pv_float_convert(struct pv_sat *t, struct pv_float_format from, const int *x,
                      struct pv_float_format to, int *out) {
  struct parts p;
  take_apart(t, from, x, &p);
  put_together(t, &p, from.fraction + 1, to.exponent <= from.exponent, to, out);
}

void pv_float_of_integer(struct pv_sat *t, uint32_t n, const int *x, bool is_signed,
                         struct pv_float_format to, int *out) {
  struct parts p = {.infinite = PV_SAT_FALSE, .nan = PV_SAT_FALSE};
  p.sign = is_signed ? x[n - 1] : PV_SAT_FALSE;
  pv_word_negate_if(t, n, p.sign, x, p.significand);
  p.zero = pv_word_all_are(t, n, x, PV_SAT_FALSE);
  pv_word_number(EXPONENT, n - 1, p.exponent);
  normalise(t, n, p.significand, p.exponent);
  put_together(t, &p, n, n > bias_of(to), to, out);
}

void pv_float_to_integer(struct pv_sat *t, struct pv_float_format f, const int *x, uint32_t n,
                         bool is_signed, int *out) {
  const uint32_t wide = n + f.fraction;
  int word[PV_WORD_WIDEST], by[PV_WORD_WIDEST], exponent[EXPONENT], bound[EXPONENT];
  int sign = sign_of(f, x), some = is_at_least(t, f, x, bias_of(f)); /* at least 1 */
  pv_word_constant(EXPONENT, PV_SAT_FALSE, exponent);
  memcpy(exponent, exponent_of(f, x), f.exponent * sizeof *exponent);
  pv_word_number(EXPONENT, bias_of(f) + n, bound);
  int fits = pv_word_below(t, EXPONENT, exponent, bound, PV_SAT_FALSE);
  fits = pv_sat_and(t, fits, -pv_word_all_are(t, f.exponent, exponent_of(f, x), PV_SAT_TRUE));
  move_exponent(t, exponent, -(int64_t)bias_of(f), exponent);
  pv_word_constant(wide, PV_SAT_FALSE, word);
  memcpy(word, x, f.fraction * sizeof *word);
  word[f.fraction] = PV_SAT_TRUE;
  pv_word_constant(wide, PV_SAT_FALSE, by);
  for (uint32_t i = 0; i < 8 && i < wide; i++) by[i] = exponent[i];
  pv_word_shift(t, wide, PV_WORD_LEFT, word, by, word);
  for (uint32_t i = 0; i < n; i++) word[i] = pv_sat_and(t, word[f.fraction + i], some);
  int none = pv_word_all_are(t, n, word, PV_SAT_FALSE), least;
  if (is_signed) { /* -2^(n - 1) fits, too */
    least = pv_sat_and(t, sign, pv_word_all_are(t, n - 1, word, PV_SAT_FALSE));
    fits = pv_sat_and(t, fits, pv_sat_or(t, -word[n - 1], least));
    pv_word_negate_if(t, n, sign, word, word);
  } else {
    fits = pv_sat_and(t, fits, pv_sat_or(t, -sign, none));
  }
  for (uint32_t i = 0; i < n; i++)
    out[i] = fits == PV_SAT_TRUE ? word[i] : pv_sat_ite(t, fits, word[i], pv_sat_input(t));
}

void pv_float_product(struct pv_sat *t, struct pv_float_format f, const int *x, const int *y,
                      int *out) {
  const uint32_t n = f.fraction + 1;
  struct parts p, q;
  int a[PV_WORD_WIDEST], b[PV_WORD_WIDEST];
  take_apart(t, f, x, &p);
  take_apart(t, f, y, &q);
  pv_word_constant(2 * n, PV_SAT_FALSE, a);
  pv_word_constant(2 * n, PV_SAT_FALSE, b);
  memcpy(a, p.significand, n * sizeof *a);
  memcpy(b, q.significand, n * sizeof *b);
  pv_word_product(t, 2 * n, a, b, p.significand);
  pv_word_sum(t, EXPONENT, p.exponent, q.exponent, PV_SAT_TRUE, p.exponent); /* of the top bit */
  normalise(t, 2 * n, p.significand, p.exponent);
  int wrong = pv_sat_or(t, pv_sat_and(t, p.zero, q.infinite), pv_sat_and(t, q.zero, p.infinite));
  p.nan = pv_sat_or(t, wrong, pv_sat_or(t, p.nan, q.nan));
  p.infinite = pv_sat_or(t, p.infinite, q.infinite);
  p.zero = pv_sat_or(t, p.zero, q.zero);
  p.sign = pv_sat_xor(t, p.sign, q.sign);
  put_together(t, &p, 2 * n, true, f, out);
}
