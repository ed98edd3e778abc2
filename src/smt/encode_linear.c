/* encode_linear.c -- integers as mathematical integers: intervals, wrap-around, sums, products,
 * quotients, comparisons. */
#include "smt/encode_internal.h"

#define I128_MAX ((pv_i128)(~(pv_u128)0 >> 1))
#define I128_MIN (-I128_MAX - 1)

static pv_term mk2(struct pv_encoder *e, enum pv_smt_op op, pv_term a, pv_term b) {
  return pv_smt_mk2(e->smt, op, a, b);
}

static pv_term integer(struct pv_encoder *e, pv_i128 v) {
  return pv_smt_number(e->smt, (struct pv_sort){.kind = PV_SORT_INT}, (uint64_t)(pv_u128)v,
                       (uint64_t)((pv_u128)v >> 64));
}

pv_term pv_linear_power(struct pv_encoder *e, unsigned k) {
  if (k < 127) return integer(e, (pv_i128)1 << k);
  pv_term half = integer(e, (pv_i128)1 << 126);
  for (; k > 126; k--) half = mk2(e, PV_SMT_ADD, half, half);
  return half;
}

/* ---- intervals ------------------------------------------------------------------------------- */
bool pv_linear_range(unsigned bits, bool is_signed, pv_i128 *lo, pv_i128 *hi) {
  *lo = is_signed ? I128_MIN >> (128 - bits) : 0;
  *hi = is_signed ? I128_MAX >> (128 - bits) : bits < 128 ? I128_MAX >> (127 - bits) : I128_MAX;
  return is_signed || bits < 128;
}

static unsigned bit_length(pv_i128 v) { /* of a number >= 0 */
  unsigned n = 0;
  while (n < 127 && v >> n) n++;
  return n;
}

static pv_i128 floor_div(pv_i128 a, pv_i128 b) { /* b > 0 */
  return a / b - (a % b < 0);
}

struct pv_value pv_linear_bounded(pv_term t, unsigned bits, pv_i128 lo, pv_i128 hi) {
  return (struct pv_value){.t = t, .bits = bits, .bounded = true, .lo = lo, .hi = hi};
}

struct pv_value pv_linear_typed(pv_term t, unsigned bits, bool is_signed) {
  struct pv_value r = {.t = t, .bits = bits};
  r.bounded = pv_linear_range(bits, is_signed, &r.lo, &r.hi);
  r.unsigned_128 = !r.bounded;
  return r;
}

struct pv_value pv_linear_number(struct pv_encoder *e, unsigned bits, pv_i128 v) {
  struct pv_value r = pv_linear_bounded(integer(e, v), bits, v, v);
  while (r.zeros < bits && !(v >> r.zeros & 1)) r.zeros++;
  return r;
}

bool pv_linear_is_number(const struct pv_value *v, pv_i128 *out) {
  *out = v->lo;
  return v->bounded && v->lo == v->hi && !v->assumed;
}

static bool within(const struct pv_value *v, bool is_signed) {
  pv_i128 lo, hi;
  if (!pv_linear_range(v->bits, is_signed, &lo, &hi))
    return v->unsigned_128 || (v->bounded && v->lo >= 0);
  return v->bounded && v->lo >= lo && v->hi <= hi;
}

/* Splits t into x + k. */
static pv_term split(struct pv_encoder *e, pv_term t, pv_i128 *k) {
  struct pv_smt *s = e->smt;
  uint64_t lo, hi;
  uint32_t n = pv_is_app(s, pv_ast(t), Z3_OP_ADD) ? pv_arity(s, pv_ast(t)) : 0;
  *k = 0;
  if (n < 2) return t;
  Z3_ast last = pv_arg_at(s, pv_ast(t), n - 1);
  if (!pv_smt_numeral(s, last, (struct pv_sort){.kind = PV_SORT_INT}, &lo, &hi)) return t;
  *k = (pv_i128)((pv_u128)hi << 64 | lo);
  if (n == 2) return pv_of(pv_arg_at(s, pv_ast(t), 0));
  pv_terms rest = {0};
  for (uint32_t i = 0; i + 1 < n; i++) pv_vec_push(&rest, pv_of(pv_arg_at(s, pv_ast(t), i)));
  pv_term r = pv_smt_mk(s, PV_SMT_ADD, rest.n, rest.at);
  pv_vec_free(&rest);
  return r;
}

static pv_term against(struct pv_encoder *e, enum pv_smt_op op, pv_term t, pv_i128 limit) {
  pv_i128 k, moved;
  pv_term x = split(e, t, &k);
  if (__builtin_sub_overflow(limit, k, &moved)) return mk2(e, op, t, integer(e, limit));
  return mk2(e, op, x, integer(e, moved));
}
pv_term pv_linear_above(struct pv_encoder *e, pv_term t, pv_i128 limit) {
  return against(e, PV_SMT_GT, t, limit);
}
pv_term pv_linear_below(struct pv_encoder *e, pv_term t, pv_i128 limit) {
  return against(e, PV_SMT_LT, t, limit);
}

/* ---- wrapping around ------------------------------------------------------------------------- */
static struct pv_value by_remainder(struct pv_encoder *e, struct pv_value v, bool is_signed) {
  struct pv_value r = pv_linear_typed(v.t, v.bits, is_signed);
  pv_term period = pv_linear_power(e, v.bits), half = pv_linear_power(e, v.bits - 1);
  if (is_signed)
    r.t = mk2(e, PV_SMT_SUB, mk2(e, PV_SMT_MOD, mk2(e, PV_SMT_ADD, v.t, half), period), half);
  else
    r.t = mk2(e, PV_SMT_MOD, v.t, period);
  r.zeros = v.zeros < v.bits ? v.zeros : v.bits;
  return r;
}

struct pv_value pv_linear_norm(struct pv_encoder *e, struct pv_value v, bool is_signed) {
  enum { CASES = 2 }; /* values farther away: by remainder */
  pv_i128 lo, hi;
  if (within(&v, is_signed)) return v;
  if (!v.bounded || v.bits > 120 || v.lo < -((pv_i128)1 << 124) || v.hi > (pv_i128)1 << 124)
    return by_remainder(e, v, is_signed);
  pv_linear_range(v.bits, is_signed, &lo, &hi);
  pv_i128 period = (pv_i128)1 << v.bits;
  pv_i128 first = floor_div(v.lo - lo, period), last = floor_div(v.hi - lo, period);
  if (last - first > CASES) return by_remainder(e, v, is_signed);
  struct pv_value r = v;
  r.t = mk2(e, PV_SMT_SUB, v.t, integer(e, first * period));
  for (pv_i128 k = first + 1; k <= last; k++) {
    pv_term c = pv_linear_above(e, v.t, hi + (k - 1) * period);
    pv_term shifted = mk2(e, PV_SMT_SUB, v.t, integer(e, k * period));
    r.t = pv_smt_mk3(e->smt, PV_SMT_ITE, c, shifted, r.t);
  }
  if (first < last) {
    r.lo = lo;
    r.hi = hi;
  } else {
    r.lo = v.lo - first * period;
    r.hi = v.hi - first * period;
  }
  if (r.zeros > r.bits) r.zeros = r.bits;
  return r;
}

/* ---- conditions ------------------------------------------------------------------------------ */
struct pv_value pv_linear_bool(struct pv_encoder *e, pv_term b, bool is_signed) {
  pv_term one = integer(e, is_signed ? -1 : 1);
  struct pv_value r = pv_linear_bounded(pv_smt_mk3(e->smt, PV_SMT_ITE, b, one, integer(e, 0)), 1,
                                        is_signed ? -1 : 0, !is_signed);
  if (pv_smt_is_true(e->smt, b)) r.lo = r.hi = is_signed ? -1 : 1;
  if (pv_smt_is_false(e->smt, b)) r.lo = r.hi = 0;
  return r;
}

/* The lowest bit as a condition. */
pv_term pv_linear_as_bool(struct pv_encoder *e, struct pv_value v) {
  if (v.zeros) return pv_smt_bool(e->smt, false);
  if (v.bounded && v.lo >= 0 && v.hi <= 1) return mk2(e, PV_SMT_EQ, v.t, integer(e, 1));
  if (v.bounded && v.lo >= -1 && v.hi <= 0) return mk2(e, PV_SMT_EQ, v.t, integer(e, -1));
  return mk2(e, PV_SMT_EQ, mk2(e, PV_SMT_MOD, v.t, integer(e, 2)), integer(e, 1));
}

/* Shifts a constant into the range of the other operand. */
static void fit(struct pv_encoder *e, struct pv_value *a, struct pv_value *b) {
  pv_i128 k;
  if (pv_linear_is_number(a, &k) && !pv_linear_is_number(b, &k))
    *a = pv_linear_norm(e, *a, within(b, true));
  else if (pv_linear_is_number(b, &k) && !pv_linear_is_number(a, &k))
    *b = pv_linear_norm(e, *b, within(a, true));
}

struct pv_value pv_linear_ite(struct pv_encoder *e, pv_term c, struct pv_value a,
                              struct pv_value b) {
  if (pv_smt_is_true(e->smt, c)) return a;
  if (pv_smt_is_false(e->smt, c)) return b;
  fit(e, &a, &b);
  struct pv_value r = a;
  r.t = pv_smt_mk3(e->smt, PV_SMT_ITE, c, a.t, b.t);
  r.bounded = a.bounded && b.bounded;
  if (b.lo < r.lo) r.lo = b.lo;
  if (b.hi > r.hi) r.hi = b.hi;
  if (b.zeros < r.zeros) r.zeros = b.zeros;
  r.assumed = a.assumed || b.assumed;
  r.unsigned_128 = within(&a, false) && within(&b, false) && a.bits == 128;
  return r;
}

/* ---- unconstrained results ------------------------------------------------------------------- */
static pv_term fresh(struct pv_encoder *e, const char *name) {
  return pv_note_fresh(e, name, (struct pv_sort){.kind = PV_SORT_INT});
}

static pv_term fresh_condition(struct pv_encoder *e, const char *name) {
  return pv_note_fresh(e, name, (struct pv_sort){.kind = PV_SORT_BOOL});
}

struct pv_value pv_linear_any(struct pv_encoder *e, const char *name, unsigned bits, pv_i128 lo,
                              pv_i128 hi) {
  pv_note_imprecise(e);
  if (lo == hi) return pv_linear_number(e, bits, lo);
  pv_term t = fresh(e, name);
  pv_note_side(e, mk2(e, PV_SMT_LE, integer(e, lo), t));
  pv_note_side(e, mk2(e, PV_SMT_LE, t, integer(e, hi)));
  return pv_linear_bounded(t, bits, lo, hi);
}

struct pv_value pv_linear_unknown(struct pv_encoder *e, const char *name, unsigned bits,
                                  bool is_signed) {
  pv_i128 lo, hi;
  if (pv_linear_range(bits, is_signed, &lo, &hi)) return pv_linear_any(e, name, bits, lo, hi);
  pv_note_imprecise(e);
  pv_term t = fresh(e, name);
  pv_note_side(e, mk2(e, PV_SMT_LE, integer(e, 0), t));
  pv_note_side(e, mk2(e, PV_SMT_LT, t, pv_linear_power(e, 128)));
  return pv_linear_typed(t, bits, false);
}

/* ---- sums and products ----------------------------------------------------------------------- */
struct pv_value pv_linear_add(struct pv_encoder *e, struct pv_value a, struct pv_value b) {
  struct pv_value r = {.t = mk2(e, PV_SMT_ADD, a.t, b.t), .bits = a.bits};
  r.bounded = a.bounded && b.bounded && !__builtin_add_overflow(a.lo, b.lo, &r.lo) &&
              !__builtin_add_overflow(a.hi, b.hi, &r.hi);
  r.zeros = a.zeros < b.zeros ? a.zeros : b.zeros;
  r.assumed = a.assumed || b.assumed;
  return r;
}

struct pv_value pv_linear_sub(struct pv_encoder *e, struct pv_value a, struct pv_value b) {
  if (a.t == b.t) return pv_linear_number(e, a.bits, 0);
  struct pv_value r = {.t = mk2(e, PV_SMT_SUB, a.t, b.t), .bits = a.bits};
  r.bounded = a.bounded && b.bounded && !__builtin_sub_overflow(a.lo, b.hi, &r.lo) &&
              !__builtin_sub_overflow(a.hi, b.lo, &r.hi);
  r.zeros = a.zeros < b.zeros ? a.zeros : b.zeros;
  r.assumed = a.assumed || b.assumed;
  return r;
}

struct pv_value pv_linear_scale(struct pv_encoder *e, struct pv_value a, pv_i128 k) {
  if (k == 0) return pv_linear_number(e, a.bits, 0);
  if (k == 1) return a;
  struct pv_value r = {.bits = a.bits};
  r.t = k == -1 ? pv_smt_mk1(e->smt, PV_SMT_NEG, a.t) : mk2(e, PV_SMT_MUL, integer(e, k), a.t);
  pv_i128 x, y;
  r.bounded =
      a.bounded && !__builtin_mul_overflow(a.lo, k, &x) && !__builtin_mul_overflow(a.hi, k, &y);
  if (r.bounded) {
    r.lo = x < y ? x : y;
    r.hi = x < y ? y : x;
    if (x == y) r.t = integer(e, x);
  }
  r.zeros = a.zeros;
  for (pv_i128 m = k; !(m & 1) && r.zeros < a.bits; m >>= 1) r.zeros++;
  r.assumed = a.assumed;
  return r;
}

/* The product of two numbers as a mathematical integer. Returns false if it is not linear; only the
 * bounds are set then. */
static bool product(struct pv_encoder *e, struct pv_value a, struct pv_value b,
                    struct pv_value *out) {
  pv_i128 k;
  if (pv_linear_is_number(&a, &k)) return *out = pv_linear_scale(e, b, k), true;
  if (pv_linear_is_number(&b, &k)) return *out = pv_linear_scale(e, a, k), true;
  for (int i = 0; i < 2; i++) {
    struct pv_value x = i ? b : a, y = i ? a : b; /* y has only two values */
    if (!y.bounded || y.assumed || y.lo == y.hi || y.hi - 1 != y.lo) continue;
    pv_term c = mk2(e, PV_SMT_EQ, y.t, integer(e, y.lo));
    *out = pv_linear_ite(e, c, pv_linear_scale(e, x, y.lo), pv_linear_scale(e, x, y.hi));
    return true;
  }
  *out = (struct pv_value){.bits = a.bits, .bounded = a.bounded && b.bounded};
  pv_i128 ends[4];
  if (!out->bounded) return false;
  for (int i = 0; i < 4; i++)
    if (__builtin_mul_overflow(i & 1 ? a.lo : a.hi, i & 2 ? b.lo : b.hi, &ends[i])) {
      out->bounded = false;
      return false;
    }
  out->lo = out->hi = ends[0];
  for (int i = 1; i < 4; i++) {
    if (ends[i] < out->lo) out->lo = ends[i];
    if (ends[i] > out->hi) out->hi = ends[i];
  }
  if (a.t == b.t && out->lo < 0) out->lo = 0;
  return false;
}

static pv_term outside(struct pv_encoder *e, struct pv_value r, bool is_signed) {
  pv_i128 lo, hi;
  if (!pv_linear_range(r.bits, is_signed, &lo, &hi)) /* unsigned, 128 bits */
    return mk2(e, PV_SMT_OR, mk2(e, PV_SMT_LT, r.t, integer(e, 0)),
               mk2(e, PV_SMT_GE, r.t, pv_linear_power(e, 128)));
  pv_term no = pv_smt_bool(e->smt, false);
  return mk2(e, PV_SMT_OR, r.bounded && r.hi <= hi ? no : pv_linear_above(e, r.t, hi),
             r.bounded && r.lo >= lo ? no : pv_linear_below(e, r.t, lo));
}

/* Assumes that the mathematical result is in the range. */
static struct pv_value assume(struct pv_value r, bool is_signed) {
  pv_i128 lo, hi;
  if (within(&r, is_signed)) return r;
  if (!pv_linear_range(r.bits, is_signed, &lo, &hi)) {
    r.unsigned_128 = r.assumed = true;
    return r;
  }
  if (!r.bounded || r.lo < lo) r.lo = lo;
  if (!r.bounded || r.hi > hi) r.hi = hi;
  if (r.lo > r.hi) r.lo = lo, r.hi = hi; /* always outside */
  r.bounded = r.assumed = true;
  return r;
}

static struct pv_value sum(struct pv_encoder *e, const struct pv_operation *o, struct pv_value a,
                           struct pv_value b) {
  bool nsw = o->flags & PV_XF_NSW;
  if (nsw) a = pv_linear_norm(e, a, true), b = pv_linear_norm(e, b, true);
  struct pv_value r = o->op == PV_X_ADD ? pv_linear_add(e, a, b) : pv_linear_sub(e, a, b);
  if (!nsw) return r;
  pv_note_event(e, PV_EVENT_OVERFLOW, outside(e, r, true));
  return e->assume_no_overflow ? assume(r, true) : r;
}

static struct pv_value times(struct pv_encoder *e, const struct pv_operation *o, struct pv_value a,
                             struct pv_value b) {
  bool nsw = o->flags & PV_XF_NSW;
  struct pv_value r;
  if (nsw) {
    a = pv_linear_norm(e, a, true);
    b = pv_linear_norm(e, b, true);
  }
  if (product(e, a, b, &r)) {
    if (!nsw) return r;
    pv_note_event(e, PV_EVENT_OVERFLOW, outside(e, r, true));
    return e->assume_no_overflow ? assume(r, true) : r;
  }
  pv_i128 lo, hi;
  bool sure = r.bounded && !a.assumed && !b.assumed;
  if (nsw || within(&r, true)) {
    pv_linear_range(a.bits, true, &lo, &hi);
    bool fits = r.bounded && r.lo >= lo && r.hi <= hi;
    if (nsw && !fits) pv_note_event(e, PV_EVENT_OVERFLOW, fresh_condition(e, "overflow"));
    if (sure && r.lo > lo && r.lo <= hi) lo = r.lo;
    if (sure && r.hi < hi && r.hi >= lo) hi = r.hi;
    if (nsw && !fits && !e->assume_no_overflow) pv_linear_range(a.bits, true, &lo, &hi);
    return pv_linear_any(e, "product", a.bits, lo, hi);
  }
  if (sure && within(&r, false)) return pv_linear_any(e, "product", a.bits, r.lo, r.hi);
  return pv_linear_unknown(e, "product", a.bits, false);
}

/* ---- quotients ------------------------------------------------------------------------------- */
/* Division by |k|, rounding towards zero; the remainder has the sign of the dividend. */
static struct pv_value divide_by(struct pv_encoder *e, struct pv_value a, pv_i128 k, bool rest) {
  struct pv_value r = {.bits = a.bits, .bounded = a.bounded, .assumed = a.assumed};
  pv_i128 m = k < 0 ? -k : k;
  pv_term size = integer(e, m), zero = integer(e, 0);
  enum pv_smt_op op = rest ? PV_SMT_MOD : PV_SMT_DIV;
  bool exact = m == (pv_i128)1 << (bit_length(m) - 1) && a.zeros >= bit_length(m) - 1;
  if (m == 1) return rest ? pv_linear_number(e, a.bits, 0) : pv_linear_scale(e, a, k);
  if (rest && exact) return pv_linear_number(e, a.bits, 0);
  bool small = a.bounded && !a.assumed && a.lo > -m && a.hi < m;
  if (small) return rest ? a : pv_linear_number(e, a.bits, 0);
  if ((a.bounded && a.lo >= 0) || a.unsigned_128 || exact) {
    r.t = mk2(e, op, a.t, size);
  } else {
    pv_term negative = mk2(e, op, pv_smt_mk1(e->smt, PV_SMT_NEG, a.t), size);
    r.t = pv_smt_mk3(e->smt, PV_SMT_ITE, mk2(e, PV_SMT_GE, a.t, zero), mk2(e, op, a.t, size),
                     pv_smt_mk1(e->smt, PV_SMT_NEG, negative));
  }
  if (rest) {
    r.lo = a.bounded && a.lo >= 0 ? 0 : 1 - m;
    r.hi = a.bounded && a.hi <= 0 ? 0 : m - 1;
    if (a.bounded && a.lo > r.lo) r.lo = a.lo < 0 ? a.lo : r.lo;
    if (a.bounded && a.hi < r.hi) r.hi = a.hi > 0 ? a.hi : r.hi;
    r.bounded = true;
    return r;
  }
  if (r.bounded) {
    r.lo = a.lo / m;
    r.hi = a.hi / m;
  } else if (a.unsigned_128) { /* below 2^128 / m */
    r.bounded = true;
    r.lo = 0;
    r.hi = (pv_i128)(~(pv_u128)0 / (pv_u128)m);
  }
  return k < 0 ? pv_linear_scale(e, r, -1) : r;
}

static pv_term both(struct pv_encoder *e, pv_term a, pv_term b) {
  return mk2(e, PV_SMT_AND, a, b);
}

/* Asserts that, if `a` is not negative and `b` is positive, 0 <= r <= a, and for a remainder r < b;
 * it is `a` itself if that is smaller than `b`. */
static void bound_result(struct pv_encoder *e, pv_term a, pv_term b, pv_term r, bool rest) {
  pv_term zero = integer(e, 0);
  pv_term positive = both(e, mk2(e, PV_SMT_GE, a, zero), mk2(e, PV_SMT_GT, b, zero));
  pv_term inside = both(e, mk2(e, PV_SMT_GE, r, zero), mk2(e, PV_SMT_LE, r, a));
  if (rest) inside = both(e, inside, mk2(e, PV_SMT_LT, r, b));
  pv_note_side(e, mk2(e, PV_SMT_IMPLIES, positive, inside));
  if (rest)
    pv_note_side(e, mk2(e, PV_SMT_IMPLIES, both(e, positive, mk2(e, PV_SMT_LT, a, b)),
                        mk2(e, PV_SMT_EQ, r, a)));
}

static pv_term negative(struct pv_encoder *e, pv_term t) {
  return mk2(e, PV_SMT_SUB, integer(e, 0), t);
}

/* Division by something that is not a constant: only the signs are known, that the absolute value
 * does not grow, and that a remainder is smaller than the divisor. */
static struct pv_value divide_any(struct pv_encoder *e, struct pv_value a, struct pv_value b,
                                  bool is_signed, bool rest) {
  const char *name = rest ? "remainder" : "quotient";
  if (!is_signed) {
    struct pv_value r = a.bounded && !a.assumed ? pv_linear_any(e, name, a.bits, 0, a.hi)
                                                : pv_linear_unknown(e, name, a.bits, false);
    bound_result(e, a.t, b.t, r.t, rest);
    return r;
  }
  pv_i128 lo, hi;
  pv_linear_range(a.bits, true, &lo, &hi);
  if (a.bounded && !a.assumed && a.lo != lo) { /* |result| <= |a| */
    pv_i128 most = a.hi > -a.lo ? a.hi : -a.lo;
    hi = rest ? (a.hi > 0 ? a.hi : 0) : most;
    lo = rest ? (a.lo < 0 ? a.lo : 0) : -most;
  }
  struct pv_value r = pv_linear_any(e, name, a.bits, lo, hi);
  bound_result(e, a.t, b.t, r.t, rest);
  if (!rest) return r;
  pv_term minus_a = negative(e, a.t), minus_b = negative(e, b.t), minus_r = negative(e, r.t);
  bound_result(e, a.t, minus_b, r.t, true);
  bound_result(e, minus_a, b.t, minus_r, true);
  bound_result(e, minus_a, minus_b, minus_r, true);
  return r;
}

static struct pv_value divide(struct pv_encoder *e, const struct pv_operation *o, struct pv_value a,
                              struct pv_value b) {
  bool is_signed = o->op == PV_X_SDIV || o->op == PV_X_SREM;
  bool rest = o->op == PV_X_UREM || o->op == PV_X_SREM;
  pv_i128 k, lo, hi;
  a = pv_linear_norm(e, a, is_signed);
  b = pv_linear_norm(e, b, is_signed);
  bool constant = pv_linear_is_number(&b, &k);
  if (!b.bounded || b.assumed || (b.lo <= 0 && b.hi >= 0))
    pv_note_event(e, PV_EVENT_DIVISION, mk2(e, PV_SMT_EQ, b.t, integer(e, 0)));
  if (is_signed) {
    pv_linear_range(a.bits, true, &lo, &hi);
    bool low = !a.bounded || a.assumed || a.lo <= lo;
    bool minus = !b.bounded || b.assumed || (b.lo <= -1 && b.hi >= -1);
    if (low && minus)
      pv_note_event(e, PV_EVENT_DIVISION_OVERFLOW,
                    mk2(e, PV_SMT_AND, mk2(e, PV_SMT_EQ, a.t, integer(e, lo)),
                        mk2(e, PV_SMT_EQ, b.t, integer(e, -1))));
  }
  if (constant && k != 0 && k != I128_MIN) return divide_by(e, a, k, rest);
  return divide_any(e, a, b, is_signed, rest);
}

/* ---- pointers -------------------------------------------------------------------------------- */
static struct pv_value pointer_add(struct pv_encoder *e, const struct pv_operation *o,
                                   struct pv_value a, struct pv_value b) {
  if (o->flags & PV_XF_INBOUNDS) a = pv_linear_norm(e, a, false);
  struct pv_value r = pv_linear_add(e, a, b);
  if (!(o->flags & PV_XF_INBOUNDS)) return r;
  pv_note_event(e, PV_EVENT_ADDRESS_WRAP, outside(e, r, false));
  return assume(r, false);
}

struct pv_value pv_linear_binary(struct pv_encoder *e, const struct pv_operation *o,
                                 struct pv_value a, struct pv_value b) {
  switch (o->op) {
  case PV_X_ADD:
  case PV_X_SUB: return sum(e, o, a, b);
  case PV_X_MUL: return times(e, o, a, b);
  case PV_X_SDIV:
  case PV_X_UDIV:
  case PV_X_SREM:
  case PV_X_UREM: return divide(e, o, a, b);
  case PV_X_SHL:
  case PV_X_LSHR:
  case PV_X_ASHR: return pv_linear_shift(e, o->op, a, b);
  case PV_X_AND:
  case PV_X_OR:
  case PV_X_XOR: return pv_linear_bitwise(e, o->op, a, b);
  case PV_X_PTRADD: return pointer_add(e, o, a, b);
  default: PV_REQUIRE(false, "no binary operation of integers");
  }
}

/* ---- comparisons ----------------------------------------------------------------------------- */
/* Divides both sides by the factor of the left one: 4 * x == 12. */
static pv_term equals_number(struct pv_encoder *e, pv_term t, pv_i128 k) {
  struct pv_smt *s = e->smt;
  uint64_t lo, hi;
  while (pv_is_app(s, pv_ast(t), Z3_OP_MUL) && pv_arity(s, pv_ast(t)) == 2 &&
         pv_smt_numeral(s, pv_arg_at(s, pv_ast(t), 0), (struct pv_sort){.kind = PV_SORT_INT}, &lo,
                        &hi)) {
    pv_i128 factor = (pv_i128)((pv_u128)hi << 64 | lo);
    if (factor == 0 || (factor == -1 && k == I128_MIN)) break;
    if (k % factor) return pv_smt_bool(s, false);
    k /= factor;
    t = pv_of(pv_arg_at(s, pv_ast(t), 1));
  }
  return against(e, PV_SMT_EQ, t, k);
}

/* A number before wrap-around equals k modulo 2^bits: it is one of few numbers. */
static bool equals_modulo(struct pv_encoder *e, struct pv_value a, pv_i128 k, pv_term *out) {
  if (!a.bounded || a.bits > 120 || a.lo < -((pv_i128)1 << 124) || a.hi > (pv_i128)1 << 124)
    return false;
  pv_i128 period = (pv_i128)1 << a.bits;
  pv_i128 first = k + period * -floor_div(k - a.lo, period); /* the smallest one >= a.lo */
  if (first > a.hi && !a.assumed) return *out = pv_smt_bool(e->smt, false), true;
  if (first + period <= a.hi && first + 2 * period <= a.hi) return false;
  *out = equals_number(e, a.t, first);
  if (first + period <= a.hi) *out = mk2(e, PV_SMT_OR, *out, equals_number(e, a.t, first + period));
  return true;
}

static pv_term equal(struct pv_encoder *e, struct pv_value a, struct pv_value b) {
  pv_i128 k;
  pv_term r;
  if (pv_linear_is_number(&b, &k) && equals_modulo(e, a, k, &r)) return r;
  if (pv_linear_is_number(&a, &k) && equals_modulo(e, b, k, &r)) return r;
  bool is_signed = within(&a, true) && within(&b, true);
  if (!is_signed && !(within(&a, false) && within(&b, false)))
    is_signed = within(&a, true) || within(&b, true);
  a = pv_linear_norm(e, a, is_signed);
  b = pv_linear_norm(e, b, is_signed);
  return mk2(e, PV_SMT_EQ, a.t, b.t);
}

pv_term pv_linear_compare(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a,
                          struct pv_value b) {
  if (op == PV_X_EQ) return equal(e, a, b);
  if (op == PV_X_NE) return pv_smt_mk1(e->smt, PV_SMT_NOT, equal(e, a, b));
  bool is_signed = op == PV_X_SLT || op == PV_X_SLE, strict = op == PV_X_ULT || op == PV_X_SLT;
  a = pv_linear_norm(e, a, is_signed);
  b = pv_linear_norm(e, b, is_signed);
  if (a.bounded && b.bounded) {
    if (strict ? a.hi < b.lo : a.hi <= b.lo) return pv_smt_bool(e->smt, true);
    if (strict ? a.lo >= b.hi : a.lo > b.hi) return pv_smt_bool(e->smt, false);
  }
  return mk2(e, strict ? PV_SMT_LT : PV_SMT_LE, a.t, b.t);
}

pv_term pv_linear_overflows(struct pv_encoder *e, enum pv_overflow kind, struct pv_value a,
                            struct pv_value b) {
  bool is_signed = kind == PV_OVF_SADD || kind == PV_OVF_SSUB || kind == PV_OVF_SMUL;
  struct pv_value r;
  a = pv_linear_norm(e, a, is_signed);
  b = pv_linear_norm(e, b, is_signed);
  switch (kind) {
  case PV_OVF_SADD:
  case PV_OVF_UADD: return outside(e, pv_linear_add(e, a, b), is_signed);
  case PV_OVF_SSUB:
  case PV_OVF_USUB: return outside(e, pv_linear_sub(e, a, b), is_signed);
  case PV_OVF_SMUL:
  case PV_OVF_UMUL: break;
  }
  if (product(e, a, b, &r)) return outside(e, r, is_signed);
  if (within(&r, is_signed)) return pv_smt_bool(e->smt, false);
  pv_note_imprecise(e);
  return fresh_condition(e, "overflow");
}
