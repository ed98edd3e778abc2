/* encode_float.c -- floats as IEEE floats, rounding to nearest, ties to even. C's fmod, and
 * functions that the C library computes only approximately, have unconstrained results. There is a
 * single NaN; its bits are any of the patterns of NaNs. */
#include "smt/encode_internal.h"

static pv_term keep(struct pv_encoder *e, Z3_ast a) {
  return pv_smt_keep(e->smt, a);
}

static pv_term rounding(struct pv_encoder *e, enum pv_math f) {
  Z3_context c = e->smt->z3;
  switch (f) {
  case PV_MATH_floor: return keep(e, Z3_mk_fpa_rtn(c));
  case PV_MATH_ceil: return keep(e, Z3_mk_fpa_rtp(c));
  case PV_MATH_trunc: return keep(e, Z3_mk_fpa_rtz(c));
  case PV_MATH_round: return keep(e, Z3_mk_fpa_rna(c));
  default: return keep(e, Z3_mk_fpa_rne(c));
  }
}
static Z3_ast nearest(struct pv_encoder *e) {
  return pv_ast(rounding(e, PV_MATH_rint));
}
static Z3_ast truncated(struct pv_encoder *e) {
  return pv_ast(rounding(e, PV_MATH_trunc));
}

static struct pv_sort float_sort(unsigned bits) {
  return (struct pv_sort){.kind = PV_SORT_FLOAT, .bits = (uint8_t)bits};
}

/* 2^k or -2^k; infinite if it is too large. */
static pv_term power(struct pv_encoder *e, unsigned bits, bool negative, unsigned k) {
  unsigned fraction = bits == 32   ? 23
                      : bits == 64 ? 52
                                   : 64,
           exponent = bits == 32   ? 8
                      : bits == 64 ? 11
                                   : 15;
  unsigned bias = (1u << (exponent - 1)) - 1, most = (1u << exponent) - 1;
  pv_u128 v = (pv_u128)(bias + k < most ? bias + k : most) << fraction;
  if (bits == 80) v |= (pv_u128)1 << 63;
  if (negative) v |= (pv_u128)1 << (bits - 1);
  return pv_smt_number(e->smt, float_sort(bits), (uint64_t)v, (uint64_t)(v >> 64));
}

static pv_term any(struct pv_encoder *e, const char *name, pv_type type) {
  pv_note_imprecise(e);
  return pv_note_fresh(e, name, pv_encode_sort(e, type));
}

pv_term pv_float_compare(struct pv_encoder *e, enum pv_fcmp predicate, pv_term x, pv_term y) {
  Z3_context c = e->smt->z3;
  Z3_ast a = pv_ast(x), b = pv_ast(y);
  pv_term nan = pv_smt_mk2(e->smt, PV_SMT_OR, keep(e, Z3_mk_fpa_is_nan(c, a)),
                           keep(e, Z3_mk_fpa_is_nan(c, b)));
  pv_term r;
  switch (predicate) {
  case PV_FCMP_ORD: return pv_smt_mk1(e->smt, PV_SMT_NOT, nan);
  case PV_FCMP_UNO: return nan;
  case PV_FCMP_OEQ:
  case PV_FCMP_UEQ: r = keep(e, Z3_mk_fpa_eq(c, a, b)); break;
  case PV_FCMP_OGT:
  case PV_FCMP_UGT: r = keep(e, Z3_mk_fpa_gt(c, a, b)); break;
  case PV_FCMP_OGE:
  case PV_FCMP_UGE: r = keep(e, Z3_mk_fpa_geq(c, a, b)); break;
  case PV_FCMP_OLT:
  case PV_FCMP_ULT: r = keep(e, Z3_mk_fpa_lt(c, a, b)); break;
  case PV_FCMP_OLE:
  case PV_FCMP_ULE: r = keep(e, Z3_mk_fpa_leq(c, a, b)); break;
  default: /* ONE, UNE */
    if (predicate == PV_FCMP_UNE)
      return pv_smt_mk1(e->smt, PV_SMT_NOT, keep(e, Z3_mk_fpa_eq(c, a, b)));
    return pv_smt_mk2(e->smt, PV_SMT_OR, keep(e, Z3_mk_fpa_lt(c, a, b)),
                      keep(e, Z3_mk_fpa_gt(c, a, b)));
  }
  return predicate >= PV_FCMP_UEQ ? pv_smt_mk2(e->smt, PV_SMT_OR, nan, r) : r;
}

/* ---- conversions ----------------------------------------------------------------------------- */
static pv_term to_integer(struct pv_encoder *e, const struct pv_operation *o, pv_term x) {
  Z3_context c = e->smt->z3;
  unsigned bits = pv_type_bits(o->type), from = pv_type_bits(o->from);
  bool is_signed = o->op == PV_X_FPTOSI;
  Z3_ast whole = pv_ast(keep(e, Z3_mk_fpa_round_to_integral(c, truncated(e), pv_ast(x))));
  pv_term top = power(e, from, false, is_signed ? bits - 1 : bits);
  pv_term zero = pv_smt_number(e->smt, float_sort(from), 0, 0);
  pv_term low = is_signed ? power(e, from, true, bits - 1) : zero;
  pv_term outside[] = {keep(e, Z3_mk_fpa_is_nan(c, pv_ast(x))),
                       keep(e, Z3_mk_fpa_geq(c, whole, pv_ast(top))),
                       keep(e, Z3_mk_fpa_lt(c, whole, pv_ast(low)))};
  for (int i = 0; i < 3; i++) outside[i] = pv_smt_simplify(e->smt, outside[i]);
  pv_note_event(e, PV_EVENT_FLOAT_CAST, pv_smt_mk(e->smt, PV_SMT_OR, 3, outside));
  return keep(e, is_signed ? Z3_mk_fpa_to_sbv(c, truncated(e), pv_ast(x), bits)
                           : Z3_mk_fpa_to_ubv(c, truncated(e), pv_ast(x), bits));
}

/* x87: sign, exponent, leading bit, fraction. IEEE formats have no leading bit. */
static pv_term from_x87(struct pv_encoder *e, pv_term bits) {
  struct pv_smt *s = e->smt;
  Z3_sort sort = pv_smt_z3_sort(s, float_sort(80));
  pv_term parts[] = {pv_smt_extract(s, 79, 64, bits), pv_smt_extract(s, 62, 0, bits)};
  pv_term ieee = pv_smt_mk(s, PV_SMT_BVCONCAT, 2, parts);
  pv_term r = keep(e, Z3_mk_fpa_to_fp_bv(s->z3, pv_ast(ieee), sort));
  pv_term small =
      pv_smt_mk2(s, PV_SMT_EQ, pv_smt_extract(s, 78, 64, bits), pv_bits_number(e, 15, 0));
  pv_term lead = pv_smt_mk2(s, PV_SMT_EQ, pv_smt_extract(s, 63, 63, bits), pv_bits_number(e, 1, 1));
  /* Patterns that do not exist in IEEE formats. */
  pv_term odd = pv_smt_mk2(s, PV_SMT_EQ, small, lead);
  if (pv_smt_is_false(s, odd)) return r;
  return pv_smt_mk3(s, PV_SMT_ITE, odd, any(e, "x87", PV_FLOAT(80)), r);
}

static pv_term to_x87(struct pv_encoder *e, pv_term ieee) {
  struct pv_smt *s = e->smt;
  pv_term top = pv_smt_extract(s, 78, 63, ieee), exponent = pv_smt_extract(s, 77, 63, ieee);
  pv_term small = pv_smt_mk2(s, PV_SMT_EQ, exponent, pv_bits_number(e, 15, 0));
  pv_term parts[] = {
      top, pv_smt_mk3(s, PV_SMT_ITE, small, pv_bits_number(e, 1, 0), pv_bits_number(e, 1, 1)),
      pv_smt_extract(s, 62, 0, ieee)};
  return pv_smt_mk(s, PV_SMT_BVCONCAT, 3, parts);
}

/* Is the term, a number, NaN? It may come from another pattern than the one that is read back. */
static bool is_nan(struct pv_encoder *e, pv_term x) {
  pv_term r = keep(e, Z3_mk_fpa_is_nan(e->smt->z3, pv_ast(x)));
  return !pv_smt_is_false(e->smt, pv_smt_simplify(e->smt, r));
}

static pv_term bits_of(struct pv_encoder *e, const struct pv_operation *o, pv_term x) {
  struct pv_smt *s = e->smt;
  unsigned bits = pv_type_bits(o->from), ieee = bits == 80 ? 79 : bits;
  uint64_t lo, hi;
  if (pv_smt_numeral(s, pv_ast(x), float_sort(bits), &lo, &hi) && !is_nan(e, x))
    return pv_smt_number(s, (struct pv_sort){.kind = PV_SORT_BV, .bits = (uint8_t)bits}, lo, hi);
  pv_term raw =
      pv_note_fresh(e, "bits", (struct pv_sort){.kind = PV_SORT_BV, .bits = (uint8_t)ieee});
  Z3_ast back = Z3_mk_fpa_to_fp_bv(s->z3, pv_ast(raw), pv_smt_z3_sort(s, float_sort(bits)));
  pv_note_side(e, pv_smt_mk2(s, PV_SMT_EQ, keep(e, back), x));
  return bits == 80 ? to_x87(e, raw) : raw;
}

static pv_term convert(struct pv_encoder *e, const struct pv_operation *o, pv_term x) {
  struct pv_smt *s = e->smt;
  bool from_float = pv_type_kind(o->from) == PV_T_FLOAT;
  if (o->op == PV_X_FPTOSI || o->op == PV_X_FPTOUI) return to_integer(e, o, x);
  if (o->op == PV_X_BITCAST && from_float) return bits_of(e, o, x);
  Z3_sort sort = pv_smt_z3_sort(s, float_sort(pv_type_bits(o->type)));
  if (o->op == PV_X_FPCONV)
    return o->type == o->from ? x
                              : keep(e, Z3_mk_fpa_to_fp_float(s->z3, nearest(e), pv_ast(x), sort));
  if (o->op == PV_X_SITOFP)
    return keep(e, Z3_mk_fpa_to_fp_signed(s->z3, nearest(e), pv_ast(x), sort));
  if (o->op == PV_X_UITOFP)
    return keep(e, Z3_mk_fpa_to_fp_unsigned(s->z3, nearest(e), pv_ast(x), sort));
  if (pv_type_bits(o->type) == 80) return from_x87(e, x);
  return keep(e, Z3_mk_fpa_to_fp_bv(s->z3, pv_ast(x), sort));
}

/* ---- functions ------------------------------------------------------------------------------- */
static pv_term function(struct pv_encoder *e, const struct pv_operation *o, pv_term x, pv_term y) {
  struct pv_smt *s = e->smt;
  Z3_context c = s->z3;
  Z3_ast a = pv_ast(x), b = pv_ast(y);
  enum pv_math f = (enum pv_math)o->aux;
  switch (f) {
  case PV_MATH_fabs: return keep(e, Z3_mk_fpa_abs(c, a));
  case PV_MATH_sqrt: return keep(e, Z3_mk_fpa_sqrt(c, nearest(e), a));
  case PV_MATH_floor:
  case PV_MATH_ceil:
  case PV_MATH_trunc:
  case PV_MATH_rint:
  case PV_MATH_nearbyint:
  case PV_MATH_round: return keep(e, Z3_mk_fpa_round_to_integral(c, pv_ast(rounding(e, f)), a));
  case PV_MATH_fmin:
  case PV_MATH_fmax: { /* if only one is a number, that one; of two zeros either */
    pv_term less = keep(e, f == PV_MATH_fmin ? Z3_mk_fpa_lt(c, a, b) : Z3_mk_fpa_gt(c, a, b));
    pv_term more = keep(e, f == PV_MATH_fmin ? Z3_mk_fpa_gt(c, a, b) : Z3_mk_fpa_lt(c, a, b));
    pv_term nan = keep(e, Z3_mk_fpa_is_nan(c, a)), other = keep(e, Z3_mk_fpa_is_nan(c, b));
    pv_term first = pv_note_fresh(e, "first", (struct pv_sort){.kind = PV_SORT_BOOL});
    pv_term either = pv_smt_mk3(s, PV_SMT_ITE, first, x, y);
    return pv_smt_mk3(s, PV_SMT_ITE, pv_smt_mk2(s, PV_SMT_OR, nan, more), y,
                      pv_smt_mk3(s, PV_SMT_ITE, pv_smt_mk2(s, PV_SMT_OR, other, less), x, either));
  }
  case PV_MATH_copysign: { /* the sign of a NaN is not known */
    pv_term any_sign = pv_note_fresh(e, "sign", (struct pv_sort){.kind = PV_SORT_BOOL});
    pv_term negative = pv_smt_mk3(s, PV_SMT_ITE, keep(e, Z3_mk_fpa_is_nan(c, b)), any_sign,
                                  keep(e, Z3_mk_fpa_is_negative(c, b)));
    pv_term plain = keep(e, Z3_mk_fpa_abs(c, a));
    return pv_smt_mk3(s, PV_SMT_ITE, negative, keep(e, Z3_mk_fpa_neg(c, pv_ast(plain))), plain);
  }
  case PV_MATH_fdim: {
    pv_term nan =
        pv_smt_mk2(s, PV_SMT_OR, keep(e, Z3_mk_fpa_is_nan(c, a)), keep(e, Z3_mk_fpa_is_nan(c, b)));
    pv_term more = pv_smt_mk2(s, PV_SMT_OR, nan, keep(e, Z3_mk_fpa_gt(c, a, b)));
    return pv_smt_mk3(s, PV_SMT_ITE, more, keep(e, Z3_mk_fpa_sub(c, nearest(e), a, b)),
                      pv_smt_number(s, float_sort(pv_type_bits(o->type)), 0, 0));
  }
  default: return any(e, "math", o->type);
  }
}

pv_term pv_float_operation(struct pv_encoder *e, const struct pv_operation *o,
                           const pv_term *args) {
  Z3_context c = e->smt->z3;
  Z3_ast a = pv_ast(args[0]), b = args[1] ? pv_ast(args[1]) : NULL;
  switch (o->op) {
  case PV_X_FADD: return keep(e, Z3_mk_fpa_add(c, nearest(e), a, b));
  case PV_X_FSUB: return keep(e, Z3_mk_fpa_sub(c, nearest(e), a, b));
  case PV_X_FMUL: return keep(e, Z3_mk_fpa_mul(c, nearest(e), a, b));
  case PV_X_FDIV: return keep(e, Z3_mk_fpa_div(c, nearest(e), a, b));
  case PV_X_FREM: return any(e, "fmod", o->type);
  case PV_X_FNEG: return keep(e, Z3_mk_fpa_neg(c, a));
  case PV_X_MATH: return function(e, o, args[0], args[1]);
  default: return convert(e, o, args[0]);
  }
}
