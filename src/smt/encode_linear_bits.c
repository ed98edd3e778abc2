/* encode_linear_bits.c -- bit operations on mathematical integers. Masks, shifts by constants, and
 * operands without common bits are exact; other results are unconstrained within the range given by
 * the operands. */
#include "smt/encode_internal.h"

static pv_term mk2(struct pv_encoder *e, enum pv_smt_op op, pv_term a, pv_term b) {
  return pv_smt_mk2(e->smt, op, a, b);
}

static pv_term integer(struct pv_encoder *e, pv_i128 v) {
  return pv_linear_number(e, 128, v).t;
}

/* The maximal number of significant bits of a number within these bounds; `bits` if it may be
 * negative. */
static unsigned length_of(const struct pv_value *v) {
  unsigned n = 0;
  if (!v->bounded || v->lo < 0) return v->bits;
  while (n < v->bits && v->hi >> n) n++;
  return n;
}

/* The number modulo 2^k, k <= bits: its lowest bits, also before wrap-around. */
struct pv_value pv_linear_low_bits(struct pv_encoder *e, struct pv_value a, unsigned k) {
  if (a.zeros >= k) return pv_linear_number(e, a.bits, 0);
  if (a.bounded && a.lo >= 0 && k < 127 && a.hi < (pv_i128)1 << k) return a;
  if (k == a.bits) return pv_linear_norm(e, a, false);
  struct pv_value r = pv_linear_bounded(NULL, a.bits, 0, (pv_i128)(((pv_u128)1 << k) - 1));
  r.t = mk2(e, PV_SMT_MOD, a.t, pv_linear_power(e, k));
  r.zeros = a.zeros;
  return r;
}

/* Division by 2^k, rounding down. */
static struct pv_value shift_down(struct pv_encoder *e, struct pv_value a, unsigned k) {
  if (k == 0) return a;
  struct pv_value r = a;
  r.unsigned_128 = false;
  r.t = mk2(e, PV_SMT_DIV, a.t, pv_linear_power(e, k));
  r.zeros = a.zeros > k ? a.zeros - k : 0;
  if (a.unsigned_128) {
    r.bounded = true;
    r.lo = 0;
    r.hi = (pv_i128)(~(pv_u128)0 >> k);
  } else if (a.bounded) {
    r.lo = a.lo >> k;
    r.hi = a.hi >> k;
    if (r.lo == r.hi && !r.assumed) return pv_linear_number(e, a.bits, r.lo);
  }
  return r;
}

/* a & mask: one summand for each run of ones; false if there are too many. */
static bool mask_with(struct pv_encoder *e, struct pv_value a, pv_u128 mask, struct pv_value *out) {
  enum { RUNS = 4 };
  unsigned length = length_of(&a), runs = 0;
  if (length < 128) mask &= ((pv_u128)1 << length) - 1;
  mask |= ((pv_u128)1 << (a.zeros < 127 ? a.zeros : 127)) - 1; /* bits that are zero anyway */
  struct pv_value r = pv_linear_number(e, a.bits, 0);
  for (unsigned low = 0; low < length;) {
    unsigned high = low;
    if (!(mask >> low & 1)) {
      low++;
      continue;
    }
    while (high + 1 < length && (mask >> (high + 1) & 1)) high++;
    if (++runs > RUNS) return false;
    struct pv_value part;
    if (high + 1 == length) /* up to the top: removes only the lowest bits */
      part = low ? pv_linear_sub(e, a, pv_linear_low_bits(e, a, low)) : a;
    else
      part = pv_linear_scale(e, pv_linear_low_bits(e, shift_down(e, a, low), high - low + 1),
                             (pv_i128)1 << low);
    if (low > part.zeros) part.zeros = low;
    if (high + 1 == length && low && a.bounded && a.lo >= 0) part.lo = 0, part.hi = a.hi;
    if (high + 1 == length && low && a.bounded && a.lo < 0) { /* rounds down */
      pv_i128 least = (pv_i128)((pv_u128)(a.lo >> low) << low);
      part.bounded = true;
      part.lo = least;
      part.hi = a.hi;
    }
    r = pv_linear_add(e, r, part);
    low = high + 1;
  }
  *out = r;
  return true;
}

static bool is_bit(const struct pv_value *v) {
  return v->bounded && v->lo >= 0 && v->hi <= 1;
}

static struct pv_value of_bits(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a,
                               struct pv_value b) {
  pv_term x = pv_linear_as_bool(e, a), y = pv_linear_as_bool(e, b), r;
  if (op == PV_X_XOR)
    r = pv_smt_mk1(e->smt, PV_SMT_NOT, mk2(e, PV_SMT_EQ, x, y));
  else
    r = mk2(e, op == PV_X_AND ? PV_SMT_AND : PV_SMT_OR, x, y);
  struct pv_value v = pv_linear_bool(e, r, false);
  v.bits = a.bits;
  return v;
}

/* Only the range of the result is known; the constraints on it are always satisfiable. */
static struct pv_value any_bits(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a,
                                struct pv_value b) {
  const char *name = op == PV_X_AND ? "and" : op == PV_X_OR ? "or" : "xor";
  struct pv_value ua = pv_linear_norm(e, a, false), ub = pv_linear_norm(e, b, false), r;
  unsigned n = length_of(&ua), m = length_of(&ub);
  bool sure = ua.bounded && ub.bounded && !ua.assumed && !ub.assumed;
  if (op == PV_X_AND ? m < n : m > n) n = m;
  if (sure && n < 127)
    r = pv_linear_any(e, name, a.bits, 0, ((pv_i128)1 << n) - 1);
  else
    r = pv_linear_unknown(e, name, a.bits, false);
  if (!sure) return r;
  if (op == PV_X_AND) {
    pv_note_side(e, mk2(e, PV_SMT_LE, r.t, ua.t));
    pv_note_side(e, mk2(e, PV_SMT_LE, r.t, ub.t));
  } else {
    pv_note_side(e, mk2(e, PV_SMT_LE, r.t, mk2(e, PV_SMT_ADD, ua.t, ub.t)));
    if (op == PV_X_OR) {
      pv_note_side(e, mk2(e, PV_SMT_LE, ua.t, r.t));
      pv_note_side(e, mk2(e, PV_SMT_LE, ub.t, r.t));
    }
  }
  return r;
}

/* a | k = a + k - (a & k), a ^ k = a + k - 2 (a & k). */
static bool with_constant(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a, pv_i128 k,
                          struct pv_value *out) {
  struct pv_value common, constant;
  pv_u128 bits = (pv_u128)k;
  if (a.bits < 128) bits &= ((pv_u128)1 << a.bits) - 1;
  if (op == PV_X_XOR && k == -1) {
    *out = pv_linear_sub(e, pv_linear_number(e, a.bits, -1), a);
    return true;
  }
  if (op == PV_X_AND) return mask_with(e, a, bits, out);
  struct pv_value natural = pv_linear_norm(e, a, false);
  bool is_unsigned = natural.t == a.t;
  if (!is_unsigned) natural = pv_linear_norm(e, a, true);
  if (!mask_with(e, natural, bits, &common)) return false;
  constant = pv_linear_norm(e, pv_linear_number(e, a.bits, k), !is_unsigned);
  if (!constant.bounded) return false;
  if (op == PV_X_XOR) common = pv_linear_scale(e, common, 2);
  struct pv_value r = pv_linear_sub(e, pv_linear_add(e, natural, constant), common);
  /* The result is within the type, and not longer than the longer operand. */
  if (natural.bounded) {
    pv_linear_range(a.bits, !is_unsigned, &r.lo, &r.hi);
    unsigned n = length_of(&natural), m = length_of(&constant);
    if (n < m) n = m;
    if (is_unsigned && n < 127) r.lo = 0, r.hi = ((pv_i128)1 << n) - 1;
    r.bounded = true;
    r.assumed = natural.assumed;
  }
  r.zeros = natural.zeros < constant.zeros ? natural.zeros : constant.zeros;
  *out = r;
  return true;
}

struct pv_value pv_linear_bitwise(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a,
                                  struct pv_value b) {
  pv_i128 k;
  struct pv_value r;
  if (a.t == b.t) return op == PV_X_XOR ? pv_linear_number(e, a.bits, 0) : a;
  if (pv_linear_is_number(&b, &k) && with_constant(e, op, a, k, &r)) return r;
  if (pv_linear_is_number(&a, &k) && with_constant(e, op, b, k, &r)) return r;
  if (is_bit(&a) && is_bit(&b)) return of_bits(e, op, a, b);
  for (int i = 0; i < 2; i++) { /* no common bit */
    struct pv_value low = i ? a : b, high = i ? b : a;
    if (low.bounded && low.lo >= 0 && !low.assumed && length_of(&low) <= high.zeros)
      return op == PV_X_AND ? pv_linear_number(e, a.bits, 0) : pv_linear_add(e, high, low);
  }
  return any_bits(e, op, a, b);
}

/* ---- shifts ---------------------------------------------------------------------------------- */
static struct pv_value shift_by(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a,
                                unsigned k) {
  if (op != PV_X_SHL) return shift_down(e, a, k);
  if (k < 127) return pv_linear_scale(e, a, (pv_i128)1 << k);
  return pv_linear_scale(e, pv_linear_scale(e, a, (pv_i128)1 << 64), (pv_i128)1 << (k - 64));
}

struct pv_value pv_linear_shift(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a,
                                struct pv_value b) {
  enum { CASES = 8, CASES_OF_A_NUMBER = 32 };
  pv_i128 number, first = 0, last = (pv_i128)a.bits - 1;
  b = pv_linear_norm(e, b, false);
  if (op != PV_X_SHL) a = pv_linear_norm(e, a, op == PV_X_ASHR);
  if (!b.bounded || b.assumed || b.hi > last)
    pv_note_event(e, PV_EVENT_SHIFT, pv_linear_above(e, b.t, last));
  if (b.bounded && !b.assumed) {
    if (b.lo > first) first = b.lo;
    if (b.hi < last) last = b.hi;
  }
  if (first > last) return pv_linear_unknown(e, "shift", a.bits, false); /* always an error */
  bool constant = pv_linear_is_number(&a, &number);
  if (constant && op == PV_X_SHL) a = pv_linear_norm(e, a, false);
  if (last - first >= (constant ? CASES_OF_A_NUMBER : CASES)) {
    if (op == PV_X_SHL || !a.bounded || a.assumed)
      return pv_linear_unknown(e, "shift", a.bits, op == PV_X_ASHR);
    pv_i128 lo = a.lo < 0 ? a.lo : 0, hi = a.hi > 0 ? a.hi : 0;
    return pv_linear_any(e, "shift", a.bits, lo, hi);
  }
  struct pv_value r = shift_by(e, op, a, (unsigned)last);
  for (pv_i128 k = last; k-- > first;)
    r = pv_linear_ite(e, mk2(e, PV_SMT_EQ, b.t, integer(e, k)), shift_by(e, op, a, (unsigned)k), r);
  return r;
}

/* ---- bit counting, least and greatest, saturation -------------------------------------------- */
static struct pv_value choose(struct pv_encoder *e, bool less, struct pv_value a,
                              struct pv_value b) {
  return pv_linear_ite(e, mk2(e, PV_SMT_LE, a.t, b.t), less ? a : b, less ? b : a);
}

static struct pv_value saturate(struct pv_encoder *e, struct pv_value r, bool is_signed) {
  pv_i128 lo, hi;
  if (!pv_linear_range(r.bits, is_signed, &lo, &hi))
    return pv_linear_unknown(e, "saturated", r.bits, false);
  struct pv_value low = pv_linear_number(e, r.bits, lo), high = pv_linear_number(e, r.bits, hi);
  struct pv_value in = r;
  in.bounded = true;
  in.lo = r.bounded && r.lo > lo ? r.lo : lo;
  in.hi = r.bounded && r.hi < hi ? r.hi : hi;
  struct pv_value v = in;
  if (!r.bounded || r.hi > hi) v = pv_linear_ite(e, pv_linear_above(e, r.t, hi), high, v);
  if (!r.bounded || r.lo < lo) v = pv_linear_ite(e, pv_linear_below(e, r.t, lo), low, v);
  return v;
}

struct pv_value pv_linear_intop(struct pv_encoder *e, const struct pv_operation *o,
                                const struct pv_value *args) {
  enum pv_intop op = (enum pv_intop)o->aux;
  unsigned bits = args[0].bits;
  bool is_signed = op == PV_INTOP_ABS || op == PV_INTOP_SMIN || op == PV_INTOP_SMAX ||
                   op == PV_INTOP_SADD_SAT || op == PV_INTOP_SSUB_SAT;
  struct pv_value a = args[0], b = args[1], zero = pv_linear_number(e, bits, 0);
  if (op == PV_INTOP_ABS || (op >= PV_INTOP_SMIN && op <= PV_INTOP_UMAX) ||
      op >= PV_INTOP_SADD_SAT) {
    a = pv_linear_norm(e, a, is_signed);
    if (op != PV_INTOP_ABS) b = pv_linear_norm(e, b, is_signed);
  }
  switch (op) {
  case PV_INTOP_ABS: {
    struct pv_value minus = pv_linear_sub(e, zero, a);
    if (a.bounded && a.lo >= 0) return a;
    struct pv_value r = pv_linear_ite(e, mk2(e, PV_SMT_GE, a.t, zero.t), a, minus);
    r.bounded = a.bounded && a.bits < 128; /* -MIN does not fit into the bounds */
    if (r.bounded) r.lo = 0, r.hi = a.hi > -a.lo ? a.hi : -a.lo;
    return r;
  }
  case PV_INTOP_SMIN:
  case PV_INTOP_UMIN: return choose(e, true, a, b);
  case PV_INTOP_SMAX:
  case PV_INTOP_UMAX: return choose(e, false, a, b);
  case PV_INTOP_SADD_SAT:
  case PV_INTOP_UADD_SAT: return saturate(e, pv_linear_add(e, a, b), is_signed);
  case PV_INTOP_SSUB_SAT:
  case PV_INTOP_USUB_SAT: return saturate(e, pv_linear_sub(e, a, b), is_signed);
  case PV_INTOP_CTPOP:
  case PV_INTOP_CTLZ:
  case PV_INTOP_CTTZ: {
    pv_i128 most = bits; /* as far as the type can represent it */
    if (bits < 8 && most >= (pv_i128)1 << bits) return pv_linear_unknown(e, "count", bits, false);
    return pv_linear_any(e, "count", bits, 0, most);
  }
  default: return pv_linear_unknown(e, "bits", bits, false);
  }
}
