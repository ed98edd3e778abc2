/* bounds.c -- intervals of bit-vector terms, from their operands' intervals alone. They hold for
 * all values of the constants, so whatever is folded or left out because of them is equivalent. A
 * term has an interval of its unsigned and one of its signed number; each sharpens the other. The
 * branches of `c ? a : b` are bounded under c, if c compares something in them with a number. */
#include "smt/smt_internal.h"

enum { WIDEST = 64, NOT_YET = 0, FULL = 1, FIRST = 2 };

typedef struct pv_bounds bounds;

static pv_i128 least(pv_i128 a, pv_i128 b) {
  return a < b ? a : b;
}
static pv_i128 most(pv_i128 a, pv_i128 b) {
  return a > b ? a : b;
}
static pv_i128 power(unsigned n) {
  return (pv_i128)1 << n;
}

static bounds full(unsigned n) {
  return (bounds){0, power(n) - 1, -power(n - 1), power(n - 1) - 1};
}

/* Each of the two intervals sharpens the other where that does not cross the border between numbers
 * with and without the highest bit. */
static bounds sharpened(unsigned n, bounds r) {
  pv_i128 all = power(n), half = power(n - 1);
  if (r.uhi < half) r.slo = most(r.slo, r.ulo), r.shi = least(r.shi, r.uhi);
  if (r.ulo >= half) r.slo = most(r.slo, r.ulo - all), r.shi = least(r.shi, r.uhi - all);
  if (r.slo >= 0) r.ulo = most(r.ulo, r.slo), r.uhi = least(r.uhi, r.shi);
  if (r.shi < 0) r.ulo = most(r.ulo, r.slo + all), r.uhi = least(r.uhi, r.shi + all);
  return r;
}

/* From intervals of the exact result that do not leave the range; else nothing is known. */
static bounds exact(unsigned n, pv_i128 ulo, pv_i128 uhi, pv_i128 slo, pv_i128 shi) {
  bounds r = full(n);
  if (ulo >= 0 && uhi <= r.uhi) r.ulo = ulo, r.uhi = uhi;
  if (slo >= r.slo && shi <= r.shi) r.slo = slo, r.shi = shi;
  return sharpened(n, r);
}

static bounds from_unsigned(unsigned n, pv_i128 lo, pv_i128 hi) {
  bounds r = full(n);
  if (lo >= 0 && hi <= r.uhi) r.ulo = lo, r.uhi = hi;
  return sharpened(n, r);
}

static bounds joined(unsigned n, bounds a, bounds b) {
  return sharpened(n, (bounds){least(a.ulo, b.ulo), most(a.uhi, b.uhi), least(a.slo, b.slo),
                               most(a.shi, b.shi)});
}

/* All bits up to the highest one set. */
static pv_i128 filled(pv_i128 v) {
  pv_u128 r = (pv_u128)v;
  for (unsigned by = 1; by < WIDEST; by *= 2) r |= r >> by;
  return (pv_i128)r;
}

static bounds sum(unsigned n, bounds a, bounds b) {
  pv_i128 all = power(n), ulo = a.ulo + b.ulo, uhi = a.uhi + b.uhi;
  if (ulo >= all) ulo -= all, uhi -= all; /* it certainly wraps around */
  return exact(n, ulo, uhi, a.slo + b.slo, a.shi + b.shi);
}

static bounds difference(unsigned n, bounds a, bounds b) {
  pv_i128 all = power(n), ulo = a.ulo - b.uhi, uhi = a.uhi - b.ulo;
  if (uhi < 0) ulo += all, uhi += all;
  return exact(n, ulo, uhi, a.slo - b.shi, a.shi - b.slo);
}

static bounds product(unsigned n, bounds a, bounds b) {
  pv_i128 corner[] = {a.slo * b.slo, a.slo * b.shi, a.shi * b.slo, a.shi * b.shi};
  pv_i128 slo = corner[0], shi = corner[0], uhi;
  for (int i = 1; i < 4; i++) slo = least(slo, corner[i]), shi = most(shi, corner[i]);
  if (__builtin_mul_overflow(a.uhi, b.uhi, &uhi)) uhi = power(126);
  return exact(n, uhi < power(126) ? a.ulo * b.ulo : 0, uhi, slo, shi);
}

static bounds quotient(unsigned n, bounds a, bounds b) {
  return b.ulo > 0 ? from_unsigned(n, a.ulo / b.uhi, a.uhi / b.ulo) : full(n);
}

static bounds remainder_of(unsigned n, bounds a, bounds b) {
  if (b.ulo <= 0) return from_unsigned(n, 0, a.uhi); /* by 0: the dividend */
  return a.uhi < b.ulo ? a : from_unsigned(n, 0, least(a.uhi, b.uhi - 1));
}

static bounds signed_quotient(unsigned n, bounds a, bounds b) {
  bounds r = full(n);
  if (b.slo <= 0) return r;
  r.slo = a.slo / (a.slo < 0 ? b.slo : b.shi);
  r.shi = a.shi / (a.shi < 0 ? b.shi : b.slo);
  return sharpened(n, r);
}

static bounds signed_remainder(unsigned n, bounds a, bounds b) {
  bounds r = full(n);
  pv_i128 top = most(b.slo < 0 ? -b.slo : b.slo, b.shi < 0 ? -b.shi : b.shi) - 1;
  r.slo = least(a.slo, 0), r.shi = most(a.shi, 0); /* the sign is the dividend's */
  if (b.slo > 0 || b.shi < 0) r.slo = most(r.slo, -top), r.shi = least(r.shi, top);
  return sharpened(n, r);
}

static bounds shifted_left(unsigned n, bounds a, bounds by) {
  bool fits = by.ulo == by.uhi && by.uhi < n && a.uhi <= (power(n) - 1) >> by.ulo;
  return fits ? from_unsigned(n, a.ulo << by.ulo, a.uhi << by.ulo) : full(n);
}

static bounds shifted_right(unsigned n, bounds a, bounds by) {
  unsigned few = (unsigned)least(by.ulo, n), many = (unsigned)least(by.uhi, n);
  return from_unsigned(n, a.ulo >> many, a.uhi >> few);
}

static bounds shifted_right_signed(unsigned n, bounds a, bounds by) {
  bounds r = full(n);
  unsigned few = (unsigned)least(by.ulo, n), many = (unsigned)least(by.uhi, n);
  r.slo = a.slo >> (a.slo < 0 ? few : many);
  r.shi = a.shi >> (a.shi < 0 ? many : few);
  return sharpened(n, r);
}

/* Operations on words of n bits whose operands have n bits, too. */
static bounds operation(Z3_decl_kind kind, unsigned n, bounds a, bounds b) {
  switch ((unsigned)kind) {
  case Z3_OP_BADD: return sum(n, a, b);
  case Z3_OP_BSUB: return difference(n, a, b);
  case Z3_OP_BMUL: return product(n, a, b);
  case Z3_OP_BUDIV:
  case Z3_OP_BUDIV_I: return quotient(n, a, b);
  case Z3_OP_BUREM:
  case Z3_OP_BUREM_I: return remainder_of(n, a, b);
  case Z3_OP_BSDIV:
  case Z3_OP_BSDIV_I: return signed_quotient(n, a, b);
  case Z3_OP_BSREM:
  case Z3_OP_BSREM_I: return signed_remainder(n, a, b);
  case Z3_OP_BSHL: return shifted_left(n, a, b);
  case Z3_OP_BLSHR: return shifted_right(n, a, b);
  case Z3_OP_BASHR: return shifted_right_signed(n, a, b);
  case Z3_OP_BAND: return from_unsigned(n, 0, least(a.uhi, b.uhi));
  case Z3_OP_BOR: return from_unsigned(n, most(a.ulo, b.ulo), filled(a.uhi | b.uhi));
  case Z3_OP_BXOR: return from_unsigned(n, 0, filled(a.uhi | b.uhi));
  default: return full(n);
  }
}

/* ---- terms ----------------------------------------------------------------------------------- */
static unsigned width(struct pv_smt *s, Z3_ast a) {
  Z3_sort sort = Z3_get_sort(s->z3, a);
  return sort && Z3_get_sort_kind(s->z3, sort) == Z3_BV_SORT ? Z3_get_bv_sort_size(s->z3, sort) : 0;
}

static uint32_t *slot(struct pv_smt *s, Z3_ast a) {
  unsigned id = Z3_get_ast_id(s->z3, a);
  if (id >= s->bounds_of.n) {
    pv_vec_reserve(&s->bounds_of, id + 1);
    memset(s->bounds_of.at + s->bounds_of.n, 0,
           (id + 1 - s->bounds_of.n) * sizeof *s->bounds_of.at);
    s->bounds_of.n = id + 1;
  }
  return &s->bounds_of.at[id];
}

/* The interval of a term for which it is known. */
static bounds known(struct pv_smt *s, Z3_ast a) {
  uint32_t at = *slot(s, a);
  return at < FIRST ? full(width(s, a)) : s->bounds.at[at - FIRST];
}

static Z3_decl_kind kind_of(struct pv_smt *s, Z3_ast a) {
  return Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, a)));
}

/* EXTRACT, CONCAT, extensions; b: of the first operand. */
static bounds rearranged(struct pv_smt *s, Z3_ast a, Z3_decl_kind kind, unsigned n, bounds b) {
  bounds r = full(n);
  if (kind == Z3_OP_ZERO_EXT) return from_unsigned(n, b.ulo, b.uhi);
  if (kind == Z3_OP_SIGN_EXT) {
    r.slo = b.slo, r.shi = b.shi;
    return sharpened(n, r);
  }
  if (kind == Z3_OP_CONCAT) {
    if (pv_arity(s, a) != 2) return r;
    bounds low = known(s, pv_arg_at(s, a, 1));
    unsigned by = width(s, pv_arg_at(s, a, 1));
    return from_unsigned(n, b.ulo << by | low.ulo, b.uhi << by | low.uhi);
  }
  int low = Z3_get_decl_int_parameter(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, a)), 1);
  return exact(n, b.ulo >> low, b.uhi >> low, b.slo >> low,
               b.shi >> low); /* if nothing is cut off */
}

/* The interval of an application, by those of its operands; `by` instead of that of `replaced`. */
static bounds applied(struct pv_smt *s, Z3_ast a, unsigned n, const Z3_ast *replaced, bounds by) {
  Z3_decl_kind kind = kind_of(s, a);
  uint32_t arity = pv_arity(s, a);
  if (!arity || kind == Z3_OP_SELECT || kind == Z3_OP_UNINTERPRETED) return full(n);
  for (uint32_t i = 0; i < arity; i++) {
    unsigned w = width(s, pv_arg_at(s, a, i));
    if (!w || w > WIDEST) return full(n);
  }
  Z3_ast first = pv_arg_at(s, a, 0);
  bounds r = replaced && first == *replaced ? by : known(s, first);
  if (kind == Z3_OP_ZERO_EXT || kind == Z3_OP_SIGN_EXT || kind == Z3_OP_CONCAT ||
      kind == Z3_OP_EXTRACT)
    return rearranged(s, a, kind, n, r);
  if (width(s, first) != n) return full(n);
  if (kind == Z3_OP_BNEG) return difference(n, (bounds){0, 0, 0, 0}, r);
  if (kind == Z3_OP_BNOT)
    return exact(n, power(n) - 1 - r.uhi, power(n) - 1 - r.ulo, -1 - r.shi, //
                 -1 - r.slo);
  if (arity < 2) return full(n);
  for (uint32_t i = 1; i < arity; i++) {
    Z3_ast x = pv_arg_at(s, a, i);
    if (width(s, x) != n) return full(n);
    r = operation(kind, n, r, replaced && x == *replaced ? by : known(s, x));
  }
  return r;
}

/* Narrows b by the comparison `b op k`, op one of ULE, ULT, SLE, SLT; `turned`: `k op b`; `truth`:
 * whether it holds. */
static void narrow(bounds *b, Z3_decl_kind kind, bool turned, bool truth, bounds k) {
  bool is_signed = kind == Z3_OP_SLT || kind == Z3_OP_SLEQ;
  pv_i128 strict = (kind == Z3_OP_SLT || kind == Z3_OP_ULT) == truth ? 1 : 0;
  pv_i128 *lo = is_signed ? &b->slo : &b->ulo, *hi = is_signed ? &b->shi : &b->uhi;
  if (turned != truth) /* b is below */
    *hi = least(*hi, (is_signed ? k.shi : k.uhi) - strict);
  else
    *lo = most(*lo, (is_signed ? k.slo : k.ulo) + strict);
}

static bool has_operand(struct pv_smt *s, Z3_ast a, Z3_ast x) {
  bool has = false;
  for (uint32_t i = 0; i < pv_arity(s, a); i++) has |= pv_arg_at(s, a, i) == x;
  return has;
}

/* The interval of a branch of `c ? a : b`. */
static bounds branch(struct pv_smt *s, Z3_ast c, bool truth, Z3_ast a, unsigned n) {
  bounds plain = known(s, a);
  if (Z3_get_ast_kind(s->z3, c) != Z3_APP_AST || pv_arity(s, c) != 2) return plain;
  Z3_decl_kind kind = kind_of(s, c);
  if (kind != Z3_OP_ULT && kind != Z3_OP_ULEQ && kind != Z3_OP_SLT && kind != Z3_OP_SLEQ)
    return plain;
  for (uint32_t i = 0; i < 2; i++) {
    Z3_ast x = pv_arg_at(s, c, i);
    unsigned w = width(s, x);
    if (w > WIDEST || (a != x && !has_operand(s, a, x))) continue;
    bounds under = known(s, x);
    narrow(&under, kind, i == 1, truth, known(s, pv_arg_at(s, c, 1 - i)));
    under = sharpened(w, under);
    if (under.ulo > under.uhi || under.slo > under.shi) return plain; /* never taken */
    bounds r = a == x ? under : applied(s, a, n, &x, under);
    r = (bounds){most(r.ulo, plain.ulo), least(r.uhi, plain.uhi), most(r.slo, plain.slo),
                 least(r.shi, plain.shi)};
    return r.ulo > r.uhi || r.slo > r.shi ? plain : r;
  }
  return plain;
}

static bounds of_term(struct pv_smt *s, Z3_ast a, unsigned n) {
  uint64_t v, high;
  if (Z3_get_ast_kind(s->z3, a) == Z3_NUMERAL_AST) {
    if (!pv_smt_numeral(s, a, (struct pv_sort){.kind = PV_SORT_BV}, &v, &high)) return full(n);
    return from_unsigned(n, v, v);
  }
  if (Z3_get_ast_kind(s->z3, a) != Z3_APP_AST) return full(n);
  if (!pv_is_app(s, a, Z3_OP_ITE)) return applied(s, a, n, NULL, full(n));
  Z3_ast c = pv_arg_at(s, a, 0), x = pv_arg_at(s, a, 1), y = pv_arg_at(s, a, 2);
  return joined(n, branch(s, c, true, x, n), branch(s, c, false, y, n));
}

/* Pushes the operands that matter and are not known yet. Those of a comparison that is a condition
 * matter, too. */
static void push_operands(struct pv_smt *s, Z3_ast a) {
  for (uint32_t i = 0; i < pv_arity(s, a); i++) {
    Z3_ast x = pv_arg_at(s, a, i);
    unsigned n = width(s, x);
    if (n && n <= WIDEST && *slot(s, x) == NOT_YET) pv_vec_push(&s->bounds_stack, x);
  }
  if (!pv_is_app(s, a, Z3_OP_ITE)) return;
  Z3_ast c = pv_arg_at(s, a, 0);
  for (uint32_t i = 0; i < pv_arity(s, c) && i < 2; i++) {
    Z3_ast x = pv_arg_at(s, c, i);
    unsigned n = width(s, x);
    if (n && n <= WIDEST && *slot(s, x) == NOT_YET) pv_vec_push(&s->bounds_stack, x);
  }
}

static void learn(struct pv_smt *s, Z3_ast a, unsigned n) {
  bounds r = of_term(s, a, n), all = full(n);
  bool is_full = r.ulo == all.ulo && r.uhi == all.uhi && r.slo == all.slo && r.shi == all.shi;
  if (!is_full) pv_vec_push(&s->bounds, r);
  *slot(s, a) = is_full ? FULL : FIRST + s->bounds.n - 1;
}

bool pv_smt_bounds(struct pv_smt *s, Z3_ast a, struct pv_bounds *out) {
  unsigned n = width(s, a);
  if (!n || n > WIDEST) return false;
  if (*slot(s, a) == NOT_YET) {
    s->bounds_stack.n = 0;
    pv_vec_push(&s->bounds_stack, a);
    while (s->bounds_stack.n) {
      Z3_ast x = pv_vec_last(&s->bounds_stack);
      uint32_t before = s->bounds_stack.n;
      if (*slot(s, x) == NOT_YET) push_operands(s, x);
      if (s->bounds_stack.n > before) continue;
      s->bounds_stack.n--;
      if (*slot(s, x) == NOT_YET) learn(s, x, width(s, x));
    }
  }
  *out = known(s, a);
  return *slot(s, a) >= FIRST;
}
