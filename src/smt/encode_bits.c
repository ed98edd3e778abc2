/* encode_bits.c -- integers as bit-vectors; everything is exact. The bounds of a value are those of
 * its signed number, and serve to omit events that cannot occur. */
#include "smt/encode_internal.h"

static pv_term mk2(struct pv_encoder *e, enum pv_smt_op op, pv_term a, pv_term b) {
  return pv_smt_mk2(e->smt, op, a, b);
}

pv_term pv_bits_number(struct pv_encoder *e, unsigned bits, pv_i128 v) {
  return pv_smt_number(e->smt, (struct pv_sort){.kind = PV_SORT_BV, .bits = (uint8_t)bits},
                       (uint64_t)(pv_u128)v, (uint64_t)((pv_u128)v >> 64));
}

void pv_bits_bound(struct pv_value *v, pv_i128 lo, pv_i128 hi) {
  if (lo > v->lo) v->lo = lo;
  if (hi < v->hi) v->hi = hi;
}

struct pv_value pv_bits_typed(struct pv_encoder *e, pv_term t, unsigned bits) {
  struct pv_value r = {.t = t, .bits = bits, .bounded = true};
  struct pv_bounds b;
  pv_linear_range(bits, true, &r.lo, &r.hi);
  if (bits > 1 && pv_smt_bounds(e->smt, pv_ast(t), &b)) pv_bits_bound(&r, b.slo, b.shi);
  return r;
}

struct pv_value pv_bits_bool(struct pv_encoder *e, pv_term b) {
  return pv_bits_typed(
      e, pv_smt_mk3(e->smt, PV_SMT_ITE, b, pv_bits_number(e, 1, 1), pv_bits_number(e, 1, 0)), 1);
}

struct pv_value pv_bits_extend(struct pv_encoder *e, bool is_signed, unsigned bits,
                               struct pv_value a) {
  struct pv_value r = pv_bits_typed(e, pv_smt_extend(e->smt, is_signed, bits, a.t), bits);
  if (is_signed || a.lo >= 0) pv_bits_bound(&r, a.lo, a.hi);
  return r;
}

pv_term pv_bits_compare(struct pv_encoder *e, enum pv_expr_op op, pv_term a, pv_term b) {
  switch (op) {
  case PV_X_EQ: return mk2(e, PV_SMT_EQ, a, b);
  case PV_X_NE: return pv_smt_mk1(e->smt, PV_SMT_NOT, mk2(e, PV_SMT_EQ, a, b));
  case PV_X_ULT: return mk2(e, PV_SMT_BVULT, a, b);
  case PV_X_ULE: return mk2(e, PV_SMT_BVULE, a, b);
  case PV_X_SLT: return mk2(e, PV_SMT_BVSLT, a, b);
  default: return mk2(e, PV_SMT_BVSLE, a, b);
  }
}

/* ---- overflow -------------------------------------------------------------------------------- */
static bool number(const struct pv_value *v, pv_i128 *k) {
  *k = v->lo;
  return v->bounded && v->lo == v->hi;
}

static pv_term slt(struct pv_encoder *e, pv_term a, pv_term b) {
  return mk2(e, PV_SMT_BVSLT, a, b);
}

/* Does a + k leave the range? */
static pv_term sum_leaves(struct pv_encoder *e, struct pv_value a, pv_i128 k) {
  pv_i128 lo, hi;
  pv_linear_range(a.bits, true, &lo, &hi);
  if (k > 0) return slt(e, pv_bits_number(e, a.bits, hi - k), a.t);
  return k < 0 ? slt(e, a.t, pv_bits_number(e, a.bits, lo - k)) : pv_smt_bool(e->smt, false);
}

/* The interval of the mathematical result. Returns false if it is not known. */
static bool exact_bounds(enum pv_expr_op op, const struct pv_value *a, const struct pv_value *b,
                         pv_i128 *lo, pv_i128 *hi) {
  if (!a->bounded || !b->bounded) return false;
  if (op == PV_X_ADD)
    return !__builtin_add_overflow(a->lo, b->lo, lo) && !__builtin_add_overflow(a->hi, b->hi, hi);
  if (op == PV_X_SUB)
    return !__builtin_sub_overflow(a->lo, b->hi, lo) && !__builtin_sub_overflow(a->hi, b->lo, hi);
  pv_i128 ends[4];
  for (int i = 0; i < 4; i++)
    if (__builtin_mul_overflow(i & 1 ? a->lo : a->hi, i & 2 ? b->lo : b->hi, &ends[i]))
      return false;
  *lo = *hi = ends[0];
  for (int i = 1; i < 4; i++) {
    if (ends[i] < *lo) *lo = ends[i];
    if (ends[i] > *hi) *hi = ends[i];
  }
  return true;
}

static pv_term product_overflows(struct pv_encoder *e, struct pv_value a, struct pv_value b,
                                 bool is_signed) {
  struct pv_smt *s = e->smt;
  pv_i128 k, lo, hi;
  if (number(&a, &k) && !number(&b, &k)) return product_overflows(e, b, a, is_signed);
  if (is_signed && number(&b, &k) && k != 0) { /* compared with the quotients of the bounds */
    pv_linear_range(a.bits, true, &lo, &hi);
    if (k == -1) return mk2(e, PV_SMT_EQ, a.t, pv_bits_number(e, a.bits, lo));
    pv_term up = pv_bits_number(e, a.bits, k > 0 ? hi / k : lo / k);
    pv_term down = pv_bits_number(e, a.bits, k > 0 ? lo / k : hi / k);
    return mk2(e, PV_SMT_OR, slt(e, up, a.t), slt(e, a.t, down));
  }
  pv_term wide =
      pv_smt_keep(s, Z3_mk_bvmul(s->z3, pv_ast(pv_smt_extend(s, is_signed, 2 * a.bits, a.t)),
                                 pv_ast(pv_smt_extend(s, is_signed, 2 * a.bits, b.t))));
  pv_term back = pv_smt_extend(s, is_signed, 2 * a.bits, pv_smt_extract(s, a.bits - 1, 0, wide));
  return pv_smt_mk1(s, PV_SMT_NOT, mk2(e, PV_SMT_EQ, wide, back));
}

static pv_term signed_overflow(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a,
                               struct pv_value b, pv_term r) {
  pv_i128 k, lo, hi, least, most;
  pv_linear_range(a.bits, true, &least, &most);
  if (exact_bounds(op, &a, &b, &lo, &hi) && lo >= least && hi <= most)
    return pv_smt_bool(e->smt, false);
  if (op == PV_X_MUL) return product_overflows(e, a, b, true);
  if (op == PV_X_ADD && number(&b, &k)) return sum_leaves(e, a, k);
  if (op == PV_X_ADD && number(&a, &k)) return sum_leaves(e, b, k);
  if (op == PV_X_SUB && number(&b, &k) && k != least) return sum_leaves(e, a, -k);
  pv_term zero = pv_bits_number(e, a.bits, 0), na = slt(e, a.t, zero), nb = slt(e, b.t, zero);
  pv_term nr = slt(e, r, zero), changed = pv_smt_mk1(e->smt, PV_SMT_NOT, mk2(e, PV_SMT_EQ, nr, na));
  pv_term same = mk2(e, PV_SMT_EQ, na, nb);
  return mk2(e, PV_SMT_AND, op == PV_X_ADD ? same : pv_smt_mk1(e->smt, PV_SMT_NOT, same), changed);
}

pv_term pv_bits_overflows(struct pv_encoder *e, enum pv_overflow kind, struct pv_value a,
                          struct pv_value b) {
  switch (kind) {
  case PV_OVF_SADD: return signed_overflow(e, PV_X_ADD, a, b, mk2(e, PV_SMT_BVADD, a.t, b.t));
  case PV_OVF_SSUB: return signed_overflow(e, PV_X_SUB, a, b, mk2(e, PV_SMT_BVSUB, a.t, b.t));
  case PV_OVF_SMUL: return signed_overflow(e, PV_X_MUL, a, b, NULL);
  case PV_OVF_UADD: return mk2(e, PV_SMT_BVULT, mk2(e, PV_SMT_BVADD, a.t, b.t), a.t);
  case PV_OVF_USUB: return mk2(e, PV_SMT_BVULT, a.t, b.t);
  case PV_OVF_UMUL: return product_overflows(e, a, b, false);
  }
  return NULL;
}

/* ---- operations ------------------------------------------------------------------------------ */
static void division_events(struct pv_encoder *e, bool is_signed, struct pv_value a,
                            struct pv_value b) {
  pv_i128 least, most;
  pv_linear_range(a.bits, true, &least, &most);
  pv_note_event(e, PV_EVENT_DIVISION, mk2(e, PV_SMT_EQ, b.t, pv_bits_number(e, b.bits, 0)));
  if (is_signed && a.lo <= least && b.lo <= -1 && b.hi >= -1)
    pv_note_event(e, PV_EVENT_DIVISION_OVERFLOW,
                  mk2(e, PV_SMT_AND, mk2(e, PV_SMT_EQ, a.t, pv_bits_number(e, a.bits, least)),
                      mk2(e, PV_SMT_EQ, b.t, pv_bits_number(e, b.bits, -1))));
}

static enum pv_smt_op operation(enum pv_expr_op op) {
  switch (op) {
  case PV_X_ADD:
  case PV_X_PTRADD: return PV_SMT_BVADD;
  case PV_X_SUB: return PV_SMT_BVSUB;
  case PV_X_MUL: return PV_SMT_BVMUL;
  case PV_X_SDIV: return PV_SMT_BVSDIV;
  case PV_X_UDIV: return PV_SMT_BVUDIV;
  case PV_X_SREM: return PV_SMT_BVSREM;
  case PV_X_UREM: return PV_SMT_BVUREM;
  case PV_X_SHL: return PV_SMT_BVSHL;
  case PV_X_LSHR: return PV_SMT_BVLSHR;
  case PV_X_ASHR: return PV_SMT_BVASHR;
  case PV_X_AND: return PV_SMT_BVAND;
  case PV_X_OR: return PV_SMT_BVOR;
  case PV_X_XOR: return PV_SMT_BVXOR;
  default: PV_REQUIRE(false, "no binary operation of integers");
  }
}

struct pv_value pv_bits_binary(struct pv_encoder *e, const struct pv_operation *o,
                               struct pv_value a, struct pv_value b) {
  enum pv_smt_op op = operation(o->op);
  pv_i128 k, lo, hi, least, most;
  if ((o->op == PV_X_AND || o->op == PV_X_OR) && a.t == b.t) return a;
  struct pv_value r = pv_bits_typed(e, mk2(e, op, a.t, b.t), a.bits);
  switch (o->op) {
  case PV_X_ADD:
  case PV_X_SUB:
  case PV_X_MUL:
    if (o->flags & PV_XF_NSW)
      pv_note_event(e, PV_EVENT_OVERFLOW, signed_overflow(e, o->op, a, b, r.t));
    pv_linear_range(a.bits, true, &least, &most);
    if (exact_bounds(o->op, &a, &b, &lo, &hi) && lo >= least && hi <= most)
      pv_bits_bound(&r, lo, hi);
    break;
  case PV_X_SDIV:
  case PV_X_UDIV:
  case PV_X_SREM:
  case PV_X_UREM: division_events(e, o->op == PV_X_SDIV || o->op == PV_X_SREM, a, b); break;
  case PV_X_SHL:
  case PV_X_LSHR:
  case PV_X_ASHR:
    if (b.lo < 0 || b.hi >= (pv_i128)a.bits) {
      /* In one bit the width itself is not representable: every shift except by 0 is too far. */
      bool fits = a.bits > 1;
      pv_note_event(e, PV_EVENT_SHIFT,
                    fits ? pv_smt_mk1(e->smt, PV_SMT_NOT,
                                      mk2(e, PV_SMT_BVULT, b.t, pv_bits_number(e, b.bits, a.bits)))
                         : mk2(e, PV_SMT_EQ, b.t, pv_bits_number(e, 1, 1)));
    }
    break;
  case PV_X_AND: /* with a nonnegative mask */
    for (int i = 0; i < 2; i++) {
      const struct pv_value *mask = i ? &a : &b;
      if (number(mask, &k) && k >= 0) pv_bits_bound(&r, 0, k);
    }
    break;
  default: break;
  }
  return r;
}

/* ---- bit counting, least and greatest, saturation -------------------------------------------- */
static pv_term bit(struct pv_encoder *e, pv_term t, unsigned i) {
  return pv_smt_extract(e->smt, i, i, t);
}

static pv_term count(struct pv_encoder *e, enum pv_intop op, struct pv_value a) {
  unsigned w = a.bits;
  pv_term r = pv_bits_number(e, w, op == PV_INTOP_CTPOP ? 0 : w), one = pv_bits_number(e, 1, 1);
  for (unsigned i = 0; i < w; i++) {
    if (op == PV_INTOP_CTPOP) {
      r = mk2(e, PV_SMT_BVADD, r, pv_smt_extend(e->smt, false, w, bit(e, a.t, i)));
      continue;
    }
    /* The bit tested last takes precedence: from the top for CTTZ, from the bottom for CTLZ. */
    unsigned at = op == PV_INTOP_CTLZ ? i : w - 1 - i;
    pv_term n = pv_bits_number(e, w, op == PV_INTOP_CTLZ ? w - 1 - at : at);
    r = pv_smt_mk3(e->smt, PV_SMT_ITE, mk2(e, PV_SMT_EQ, bit(e, a.t, at), one), n, r);
  }
  return r;
}

static pv_term reversed(struct pv_encoder *e, struct pv_value a, unsigned unit) {
  if (a.bits == unit) return a.t;
  pv_term r = pv_smt_extract(e->smt, unit - 1, 0, a.t);
  for (unsigned at = unit; at < a.bits; at += unit)
    r = mk2(e, PV_SMT_BVCONCAT, r, pv_smt_extract(e->smt, at + unit - 1, at, a.t));
  return r;
}

static pv_term funnel(struct pv_encoder *e, bool left, const struct pv_value *args) {
  unsigned w = args[0].bits;
  if (w == 1) return left ? args[0].t : args[1].t;
  pv_term width = pv_bits_number(e, w, w), n = mk2(e, PV_SMT_BVUREM, args[2].t, width);
  pv_term rest = mk2(e, PV_SMT_BVSUB, width, n); /* w for n = 0: shifts all bits out */
  pv_term a = mk2(e, PV_SMT_BVSHL, args[0].t, left ? n : rest);
  pv_term b = mk2(e, PV_SMT_BVLSHR, args[1].t, left ? rest : n);
  return mk2(e, PV_SMT_BVOR, a, b);
}

static pv_term saturated(struct pv_encoder *e, enum pv_intop op, struct pv_value a,
                         struct pv_value b) {
  bool is_signed = op == PV_INTOP_SADD_SAT || op == PV_INTOP_SSUB_SAT;
  bool subtract = op == PV_INTOP_SSUB_SAT || op == PV_INTOP_USUB_SAT;
  pv_i128 least, most;
  pv_linear_range(a.bits, true, &least, &most);
  pv_term r = mk2(e, subtract ? PV_SMT_BVSUB : PV_SMT_BVADD, a.t, b.t);
  pv_term over = pv_bits_overflows(e,
                                   is_signed  ? (subtract ? PV_OVF_SSUB : PV_OVF_SADD)
                                   : subtract ? PV_OVF_USUB
                                              : PV_OVF_UADD,
                                   a, b);
  pv_term end = pv_bits_number(e, a.bits, subtract ? 0 : -1);
  if (is_signed)
    end = pv_smt_mk3(e->smt, PV_SMT_ITE, slt(e, a.t, pv_bits_number(e, a.bits, 0)),
                     pv_bits_number(e, a.bits, least), pv_bits_number(e, a.bits, most));
  return pv_smt_mk3(e->smt, PV_SMT_ITE, over, end, r);
}

struct pv_value pv_bits_intop(struct pv_encoder *e, const struct pv_operation *o,
                              const struct pv_value *args) {
  enum pv_intop op = (enum pv_intop)o->aux;
  struct pv_value a = args[0], b = args[1];
  pv_term zero = pv_bits_number(e, a.bits, 0), t = NULL;
  struct pv_smt *s = e->smt;
  switch (op) {
  case PV_INTOP_CTPOP:
  case PV_INTOP_CTLZ:
  case PV_INTOP_CTTZ: t = count(e, op, a); break;
  case PV_INTOP_BSWAP: t = reversed(e, a, 8); break;
  case PV_INTOP_BITREVERSE: t = reversed(e, a, 1); break;
  case PV_INTOP_ABS:
    t = pv_smt_mk3(s, PV_SMT_ITE, slt(e, a.t, zero), pv_smt_mk1(s, PV_SMT_BVNEG, a.t), a.t);
    break;
  case PV_INTOP_SMIN: t = pv_smt_mk3(s, PV_SMT_ITE, slt(e, a.t, b.t), a.t, b.t); break;
  case PV_INTOP_SMAX: t = pv_smt_mk3(s, PV_SMT_ITE, slt(e, a.t, b.t), b.t, a.t); break;
  case PV_INTOP_UMIN:
    t = pv_smt_mk3(s, PV_SMT_ITE, mk2(e, PV_SMT_BVULT, a.t, b.t), a.t, b.t);
    break;
  case PV_INTOP_UMAX:
    t = pv_smt_mk3(s, PV_SMT_ITE, mk2(e, PV_SMT_BVULT, a.t, b.t), b.t, a.t);
    break;
  case PV_INTOP_FSHL:
  case PV_INTOP_FSHR: t = funnel(e, op == PV_INTOP_FSHL, args); break;
  case PV_INTOP_SADD_SAT:
  case PV_INTOP_UADD_SAT:
  case PV_INTOP_SSUB_SAT:
  case PV_INTOP_USUB_SAT: t = saturated(e, op, a, b); break;
  case PV_INTOP_COUNT: break;
  }
  return pv_bits_typed(e, t, a.bits);
}
