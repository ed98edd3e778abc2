/* fold.c -- safe simplification of expressions when they are built.
 *
 * Constants are folded only where the result is defined. Only forms that clang emits for C's
 * conversions are rewritten (a comparison widened to int and compared with 0). No rewriting drops
 * an operand whose evaluation could be undefined behaviour, except for the operand that a constant
 * `?:` does not choose. */
#include "ir/ir_internal.h"

#include <string.h>

static pv_u128 mask_of(unsigned bits) {
  return bits >= 128 ? ~(pv_u128)0 : ((pv_u128)1 << bits) - 1;
}

static pv_u128 value_of(const struct pv_expr_node *n) {
  return (pv_u128)n->hi << 64 | n->lo;
}

static pv_i128 signed_of(pv_u128 v, unsigned bits) {
  if (bits < 128 && (v >> (bits - 1) & 1)) v |= ~mask_of(bits);
  return (pv_i128)v;
}

void pv_const_normalise(struct pv_expr_node *n) {
  pv_u128 v = value_of(n) & mask_of(pv_type_bits(n->type));
  n->lo = (uint64_t)v;
  n->hi = (uint64_t)(v >> 64);
}

static pv_expr mk_wide(struct pv_program *p, pv_type type, pv_u128 v) {
  return pv_mk(p,
               (struct pv_expr_node){
                   .op = PV_X_CONST, .type = type, .lo = (uint64_t)v, .hi = (uint64_t)(v >> 64)});
}

static bool is_const(const struct pv_program *p, pv_expr e) {
  return e && pv_node(p, e)->op == PV_X_CONST;
}

static bool is_zero(const struct pv_program *p, pv_expr e) {
  return is_const(p, e) && !pv_node(p, e)->lo && !pv_node(p, e)->hi;
}

/* ---- values ---------------------------------------------------------------------------------- */
/* Division and remainder. Returns false where they are undefined. */
static bool divide(enum pv_expr_op op, pv_u128 a, pv_u128 b, unsigned bits, pv_u128 *r) {
  if (!b) return false;
  if (op == PV_X_UDIV || op == PV_X_UREM) {
    *r = op == PV_X_UDIV ? a / b : a % b;
    return true;
  }
  pv_i128 sa = signed_of(a, bits), sb = signed_of(b, bits);
  if (sb == -1 && a == (pv_u128)1 << (bits - 1)) return false;
  *r = (pv_u128)(op == PV_X_SDIV ? sa / sb : sa % sb);
  return true;
}

/* Like pv_compute; bits above the result's width are arbitrary. */
static bool compute(enum pv_expr_op op, pv_u128 a, pv_u128 b, unsigned bits, pv_u128 *r) {
  pv_i128 sa = signed_of(a, bits), sb = signed_of(b, bits);
  switch (op) {
  case PV_X_ADD: *r = a + b; return true;
  case PV_X_SUB: *r = a - b; return true;
  case PV_X_MUL: *r = a * b; return true;
  case PV_X_SDIV:
  case PV_X_UDIV:
  case PV_X_SREM:
  case PV_X_UREM: return divide(op, a, b, bits, r);
  case PV_X_SHL:
  case PV_X_LSHR:
  case PV_X_ASHR:
    if (b >= bits) return false;
    *r = op == PV_X_SHL    ? a << (unsigned)b
         : op == PV_X_LSHR ? a >> (unsigned)b
                           : (pv_u128)(sa >> (unsigned)b);
    return true;
  case PV_X_AND: *r = a & b; return true;
  case PV_X_OR: *r = a | b; return true;
  case PV_X_XOR: *r = a ^ b; return true;
  case PV_X_EQ: *r = a == b; return true;
  case PV_X_NE: *r = a != b; return true;
  case PV_X_ULT: *r = a < b; return true;
  case PV_X_ULE: *r = a <= b; return true;
  case PV_X_SLT: *r = sa < sb; return true;
  case PV_X_SLE: *r = sa <= sb; return true;
  case PV_X_ZEXT:
  case PV_X_TRUNC:
  case PV_X_BITCAST: *r = a; return true;
  case PV_X_SEXT: *r = (pv_u128)sa; return true;
  default: return false;
  }
}

bool pv_compute(const struct pv_expr_node *n, unsigned bits, pv_u128 a, pv_u128 b, pv_u128 *r) {
  pv_u128 value;
  if (!compute((enum pv_expr_op)n->op, a, b, bits, &value)) return false;
  *r = value & mask_of(pv_type_bits(n->type));
  return true;
}

/* ---- constants ------------------------------------------------------------------------------- */
/* Does a signed addition, subtraction or multiplication leave the width? (For 64 bits or more the
 * answer is always yes, because the exact result might not fit into 128 bits.) */
static bool overflows(const struct pv_expr_node *n, pv_u128 a, pv_u128 b, unsigned bits) {
  bool can = n->op == PV_X_ADD || n->op == PV_X_SUB || n->op == PV_X_MUL;
  if (!can || !(n->flags & PV_XF_NSW)) return false;
  if (bits > 63) return true;
  pv_i128 sa = signed_of(a, bits), sb = signed_of(b, bits), top = (pv_i128)1 << (bits - 1);
  pv_i128 r = n->op == PV_X_ADD ? sa + sb : n->op == PV_X_SUB ? sa - sb : sa * sb;
  return r < -top || r >= top;
}

static pv_expr fold_constants(struct pv_program *p, const struct pv_expr_node *n) {
  const struct pv_expr_node *a = pv_node(p, n->a), *b = pv_node(p, n->b);
  if (pv_type_kind(a->type) == PV_T_FLOAT || pv_type_kind(n->type) == PV_T_FLOAT) return 0;
  pv_u128 r;
  if (n->op == PV_X_PTRADD) { /* a number used as an address: there is no object to leave */
    if (n->flags & PV_XF_INBOUNDS) return 0;
    return mk_wide(p, n->type, value_of(a) + value_of(b));
  }
  unsigned bits = pv_type_bits(a->type);
  if (overflows(n, value_of(a), value_of(b), bits)) return 0;
  return pv_compute(n, bits, value_of(a), value_of(b), &r) ? mk_wide(p, n->type, r) : 0;
}

/* `(int)(a < b) != 0`, `== 0`: the comparison itself or its negation. */
static pv_expr fold_test(struct pv_program *p, const struct pv_expr_node *n) {
  const struct pv_expr_node *a = pv_node(p, n->a);
  if (a->op != PV_X_ZEXT || !is_zero(p, n->b)) return 0;
  pv_expr inner = a->a;
  if (pv_node(p, inner)->type == PV_INT(1)) return n->op == PV_X_NE ? inner : pv_mk_not(p, inner);
  return pv_mk_binary(p, n->op, n->flags, PV_INT(1), inner,
                      pv_mk_const(p, pv_node(p, inner)->type, 0));
}

/* Operations on conditions with a constant: clang's `xor i1 x, true` and `and i1 x, true`. */
static pv_expr fold_condition(struct pv_program *p, const struct pv_expr_node *n) {
  pv_expr x = is_const(p, n->a) ? n->b : n->a, k = is_const(p, n->a) ? n->a : n->b;
  if (!is_const(p, k)) return 0;
  bool one = pv_node(p, k)->lo & 1;
  struct pv_expr_node inner = *pv_node(p, x), negated;
  switch (n->op) {
  case PV_X_XOR:
    if (!one) return x;
    if (pv_negated(&inner, &negated)) return pv_mk(p, negated);
    if (inner.op == PV_X_XOR && is_const(p, inner.b) && (pv_node(p, inner.b)->lo & 1))
      return inner.a;
    return 0;
  case PV_X_AND: return one ? x : 0;
  case PV_X_OR: return one ? 0 : x;
  case PV_X_NE: return one ? pv_mk_not(p, x) : x;
  case PV_X_EQ: return one ? x : pv_mk_not(p, x);
  default: return 0;
  }
}

static bool is_negative(const struct pv_expr_node *n) {
  return signed_of(value_of(n), pv_type_bits(n->type)) < 0;
}

/* p + 0, and (p + a) + b with constants of the same sign: the intermediate address is between the
 * ends, so no information about bounds is lost. */
static pv_expr fold_ptradd(struct pv_program *p, const struct pv_expr_node *n) {
  if (!is_const(p, n->b)) return 0;
  if (is_zero(p, n->b)) return n->a;
  struct pv_expr_node a = *pv_node(p, n->a);
  if (a.op != PV_X_PTRADD || !is_const(p, a.b) || a.flags != n->flags) return 0;
  const struct pv_expr_node *i = pv_node(p, a.b), *j = pv_node(p, n->b);
  if (is_negative(i) != is_negative(j)) return 0;
  pv_u128 sum = value_of(i) + value_of(j);
  bool wrapped = signed_of(sum & mask_of(p->pointer_bits), p->pointer_bits) < 0;
  if (wrapped != is_negative(i)) return 0;
  pv_expr offset = mk_wide(p, i->type, sum);
  return pv_mk_binary(p, PV_X_PTRADD, n->flags, n->type, a.a, offset);
}

static pv_expr fold_cast(struct pv_program *p, const struct pv_expr_node *n) {
  struct pv_expr_node a = *pv_node(p, n->a);
  unsigned from = pv_type_bits(a.type), to = pv_type_bits(n->type);
  if (a.op == PV_X_CONST) {
    pv_u128 v;
    return pv_compute(n, from, value_of(&a), 0, &v) ? mk_wide(p, n->type, v) : 0;
  }
  if (a.type == n->type) return n->a;
  if (n->op == PV_X_BITCAST && a.op == PV_X_BITCAST) /* to another type and back */
    return pv_mk_unary(p, PV_X_BITCAST, n->type, a.a);
  if (n->op == PV_X_TRUNC && (a.op == PV_X_ZEXT || a.op == PV_X_SEXT)) {
    unsigned inner = pv_type_bits(pv_node(p, a.a)->type);
    if (inner == to) return a.a;
    if (inner < to) return pv_mk_unary(p, a.op, n->type, a.a);
    return pv_mk_unary(p, PV_X_TRUNC, n->type, a.a);
  }
  if (n->op == a.op && (a.op == PV_X_ZEXT || a.op == PV_X_SEXT || a.op == PV_X_TRUNC))
    return pv_mk_unary(p, n->op, n->type, a.a);
  return 0;
}

/* float <-> double and small integers to double: exact, or rounded to nearest on the host as
 * well. */
static pv_expr fold_float(struct pv_program *p, const struct pv_expr_node *n) {
  const struct pv_expr_node *a = pv_node(p, n->a);
  if (a->op != PV_X_CONST) return 0;
  uint64_t bits = a->lo;
  if (n->op == PV_X_FNEG) {
    unsigned width = pv_type_bits(n->type);
    return mk_wide(p, n->type, value_of(a) ^ (pv_u128)1 << (width - 1));
  }
  if (n->op == PV_X_SITOFP && n->type == PV_FLOAT(64) && pv_type_bits(a->type) <= 32) {
    double d = (double)signed_of(value_of(a), pv_type_bits(a->type));
    memcpy(&bits, &d, sizeof d);
    return pv_mk_const(p, n->type, bits);
  }
  if (n->op == PV_X_FPCONV && a->type == PV_FLOAT(32) && n->type == PV_FLOAT(64)) {
    float f;
    uint32_t low = (uint32_t)bits;
    memcpy(&f, &low, sizeof f);
    if (f != f) return 0; /* the host might change a NaN's payload */
    double d = (double)f;
    memcpy(&bits, &d, sizeof d);
    return pv_mk_const(p, n->type, bits);
  }
  return 0;
}

pv_expr pv_fold(struct pv_program *p, const struct pv_expr_node *n) {
  pv_expr r = 0;
  switch (n->op) {
  case PV_X_SELECT:
    if (is_const(p, n->a)) return pv_node(p, n->a)->lo & 1 ? n->b : n->c;
    return 0;
  case PV_X_ZEXT:
  case PV_X_SEXT:
  case PV_X_TRUNC:
  case PV_X_BITCAST: return fold_cast(p, n);
  case PV_X_FNEG:
  case PV_X_FPCONV:
  case PV_X_SITOFP: return fold_float(p, n);
  case PV_X_PTRADD: r = fold_ptradd(p, n); break;
  case PV_X_EQ:
  case PV_X_NE: r = fold_test(p, n); break;
  default: break;
  }
  if (r) return r;
  if (n->op >= PV_X_ADD && n->op <= PV_X_SLE) {
    if (is_const(p, n->a) && is_const(p, n->b)) return fold_constants(p, n);
    if (n->b && pv_node(p, n->a)->type == PV_INT(1)) return fold_condition(p, n);
  }
  if (n->op == PV_X_PTRADD && is_const(p, n->a) && is_const(p, n->b)) return fold_constants(p, n);
  return 0;
}
