#include "smt/words.h"

#include <string.h>

static int full_sum(struct pv_sat *t, int a, int b, int c) {
  return pv_sat_xor(t, pv_sat_xor(t, a, b), c);
}

/* a + b + carry; returns the carry out. */
int pv_word_sum(struct pv_sat *t, uint32_t n, const int *a, const int *b, int carry, int *out) {
  for (uint32_t i = 0; i < n; i++) {
    int x = a[i], y = b[i], c = carry;
    carry = pv_sat_most(t, x, y, c);
    out[i] = full_sum(t, x, y, c);
  }
  return carry;
}

void pv_word_invert(uint32_t n, const int *a, int *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = -a[i];
}

void pv_word_constant(uint32_t n, int bit, int *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = bit;
}

void pv_word_number(uint32_t n, uint64_t number, int *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = i < 64 && number >> i & 1 ? PV_SAT_TRUE : PV_SAT_FALSE;
}

void pv_word_negate_if(struct pv_sat *t, uint32_t n, int c, const int *a, int *out) {
  int x[PV_WORD_WIDEST], zero[PV_WORD_WIDEST];
  for (uint32_t i = 0; i < n; i++) x[i] = pv_sat_xor(t, a[i], c);
  pv_word_constant(n, PV_SAT_FALSE, zero);
  pv_word_sum(t, n, x, zero, c, out);
}

/* a < b, unsigned: the carry of b + ~a is b > a */
int pv_word_below(struct pv_sat *t, uint32_t n, const int *a, const int *b, int or_equal) {
  int r = or_equal;
  for (uint32_t i = 0; i < n; i++) r = pv_sat_most(t, -a[i], b[i], r);
  return r;
}

int pv_word_signed_below(struct pv_sat *t, uint32_t n, const int *a, const int *b, int or_equal) {
  int x[PV_WORD_WIDEST], y[PV_WORD_WIDEST];
  memcpy(x, a, n * sizeof *x);
  memcpy(y, b, n * sizeof *y);
  x[n - 1] = -x[n - 1], y[n - 1] = -y[n - 1];
  return pv_word_below(t, n, x, y, or_equal);
}

int pv_word_equal(struct pv_sat *t, uint32_t n, const int *a, const int *b) {
  int same[PV_WORD_WIDEST];
  for (uint32_t i = 0; i < n; i++) {
    same[i] = -pv_sat_xor(t, a[i], b[i]);
    if (same[i] == PV_SAT_FALSE) return PV_SAT_FALSE;
  }
  return pv_sat_all(t, n, same);
}

int pv_word_all_are(struct pv_sat *t, uint32_t n, const int *a, int bit) {
  int r = PV_SAT_TRUE;
  if (bit == PV_SAT_TRUE) return pv_sat_all(t, n, a);
  for (uint32_t i = 0; i < n; i++) r = pv_sat_and(t, r, -a[i]);
  return r;
}

void pv_word_choose(struct pv_sat *t, uint32_t n, int c, const int *a, const int *b, int *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = pv_sat_ite(t, c, a[i], b[i]);
}

static uint32_t constants_in(uint32_t n, const int *a) {
  uint32_t r = 0;
  for (uint32_t i = 0; i < n; i++) r += a[i] == PV_SAT_TRUE || a[i] == PV_SAT_FALSE;
  return r;
}

/* The product with a constant: one addition or subtraction for each digit of its non-adjacent form,
 * which has digits -1, 0 and 1, and the fewest that are not 0. */
static void product_with_constant(struct pv_sat *t, uint32_t n, const int *a, const int *b,
                                  int *r) {
  int row[PV_WORD_WIDEST];
  uint32_t carry = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t digit = (b[i] == PV_SAT_TRUE) + carry;
    bool more = i + 1 < n && b[i + 1] == PV_SAT_TRUE;
    carry = digit + more >= 2;
    if (digit != 1) continue;
    memcpy(row, a, (n - i) * sizeof *row);
    if (more) pv_word_invert(n - i, row, row);
    pv_word_sum(t, n - i, r + i, row, more ? PV_SAT_TRUE : PV_SAT_FALSE, r + i);
  }
}

void pv_word_product(struct pv_sat *t, uint32_t n, const int *a, const int *b, int *out) {
  int r[PV_WORD_WIDEST], row[PV_WORD_WIDEST];
  if (constants_in(n, a) > constants_in(n, b)) { /* rows of a constant 0 cost nothing */
    const int *other = a;
    a = b, b = other;
  }
  pv_word_constant(n, PV_SAT_FALSE, r);
  bool is_constant = constants_in(n, b) == n;
  if (is_constant) product_with_constant(t, n, a, b, r);
  for (uint32_t i = 0; i < n && !is_constant; i++) {
    if (b[i] == PV_SAT_FALSE) continue;
    for (uint32_t k = i; k < n; k++) row[k] = pv_sat_and(t, a[k - i], b[i]);
    pv_word_sum(t, n - i, r + i, row + i, PV_SAT_FALSE, r + i);
  }
  memcpy(out, r, n * sizeof *r);
}

/* Is it the constant 2^*power? */
static bool is_power(uint32_t n, const int *a, uint32_t *power) {
  uint32_t ones = 0;
  if (constants_in(n, a) != n) return false;
  for (uint32_t i = 0; i < n; i++)
    if (a[i] == PV_SAT_TRUE) *power = i, ones++;
  return ones == 1;
}

/* Long division. The remainder is as wide as the divisor, which may have leading zeros. */
void pv_word_divide(struct pv_sat *t, uint32_t n, const int *a, const int *b, int *quotient,
                    int *remainder) {
  int r[PV_WORD_WIDEST], wide[PV_WORD_WIDEST], difference[PV_WORD_WIDEST], q[PV_WORD_WIDEST];
  uint32_t power, w = n;
  if (is_power(n, b, &power)) { /* a shift and a mask */
    for (uint32_t i = 0; i < n; i++) {
      if (quotient) quotient[i] = i + power < n ? a[i + power] : PV_SAT_FALSE;
      if (remainder) remainder[i] = i < power ? a[i] : PV_SAT_FALSE;
    }
    return;
  }
  while (w && b[w - 1] == PV_SAT_FALSE) w--;
  pv_word_constant(n + 1, PV_SAT_FALSE, r);
  pv_word_invert(w, b, wide);
  wide[w] = PV_SAT_TRUE;
  for (uint32_t i = n; i-- > 0;) {
    memmove(r + 1, r, w * sizeof *r);
    r[0] = a[i];
    q[i] = pv_word_sum(t, w + 1, r, wide, PV_SAT_TRUE, difference); /* no borrow: r >= b */
    pv_word_choose(t, w + 1, q[i], difference, r, r);
  }
  if (quotient) memcpy(quotient, q, n * sizeof *q);
  if (!remainder) return;
  if (w < n) { /* a divisor of 0 wants all of a */
    int zero[PV_WORD_WIDEST];
    pv_word_constant(n - w, PV_SAT_FALSE, r + w);
    pv_word_invert(w, b, zero);
    pv_word_choose(t, n, pv_sat_all(t, w, zero), a, r, r);
  }
  memcpy(remainder, r, n * sizeof *r);
}

void pv_word_signed_divide(struct pv_sat *t, uint32_t n, const int *a, const int *b, int *quotient,
                           int *remainder) {
  int x[PV_WORD_WIDEST], y[PV_WORD_WIDEST], r[PV_WORD_WIDEST];
  pv_word_negate_if(t, n, a[n - 1], a, x);
  pv_word_negate_if(t, n, b[n - 1], b, y);
  pv_word_divide(t, n, x, y, quotient ? r : NULL, quotient ? NULL : r);
  if (quotient)
    pv_word_negate_if(t, n, pv_sat_xor(t, a[n - 1], b[n - 1]), r, quotient);
  else
    pv_word_negate_if(t, n, a[n - 1], r, remainder);
}

void pv_word_shift(struct pv_sat *t, uint32_t n, enum pv_word_shift how, const int *a, const int *b,
                   int *out) {
  int r[PV_WORD_WIDEST], moved[PV_WORD_WIDEST],
      fill = how == PV_WORD_RIGHT_SIGNED ? a[n - 1] : PV_SAT_FALSE;
  int far[PV_WORD_WIDEST] = {0};
  uint32_t stages = 0;
  memcpy(r, a, n * sizeof *r);
  for (; stages < n && ((uint64_t)1 << stages) < n; stages++) {
    uint32_t by = 1u << stages;
    for (uint32_t i = 0; i < n; i++) {
      if (how == PV_WORD_LEFT)
        moved[i] = i >= by ? r[i - by] : PV_SAT_FALSE;
      else
        moved[i] = i + by < n ? r[i + by] : fill;
    }
    pv_word_choose(t, n, b[stages], moved, r, r);
  }
  for (uint32_t i = stages; i < n; i++) far[i - stages] = -b[i];
  int near = pv_sat_all(t, n - stages, far); /* the stages alone may go beyond n: that fills, too */
  pv_word_constant(n, fill, moved);
  pv_word_choose(t, n, near, r, moved, out);
}
