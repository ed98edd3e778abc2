#include "analysis/float_ranges.h"

#include "analysis/definitions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32 };

struct range { /* finite, and never NaN */
  double lo, hi;
};

struct search {
  const struct pv_program *p;
  const struct pv_function *f;
  uint32_t *definitions; /* by variable */
};

static bool is_finite(struct range r) {
  return isfinite(r.lo) && isfinite(r.hi) && r.lo <= r.hi;
}

/* Rounds to the type. */
static double rounded(pv_type type, double x) {
  return pv_type_bits(type) == 32 ? (double)(float)x : x;
}

static bool of_constant(pv_type type, uint64_t bits, struct range *out) {
  double d;
  float f;
  uint32_t low = (uint32_t)bits;
  memcpy(&d, &bits, sizeof d);
  memcpy(&f, &low, sizeof f);
  out->lo = out->hi = pv_type_bits(type) == 32 ? (double)f : d;
  return is_finite(*out);
}

static void of_integer(const struct search *s, const struct pv_expr_node *n, struct range *out) {
  const struct pv_expr_node *from = pv_node(s->p, n->a);
  unsigned bits = pv_type_bits(from->type);
  double half = ldexp(1, (int)bits - 1);
  *out = n->op == PV_X_SITOFP ? (struct range){-half, half} : (struct range){0, 2 * half};
}

/* The four results at the bounds contain all others, if the operation is monotone in both. */
static bool combine(unsigned op, pv_type type, struct range a, struct range b, struct range *out) {
  double x[] = {a.lo, a.hi}, y[] = {b.lo, b.hi};
  if (op == PV_X_FDIV && b.lo <= 0 && b.hi >= 0) return false;
  *out = (struct range){INFINITY, -INFINITY};
  for (int i = 0; i < 4; i++) {
    double u = x[i / 2], v = y[i % 2];
    bool narrow = pv_type_bits(type) == 32;
    double r = op == PV_X_FADD   ? narrow ? (double)((float)u + (float)v) : u + v
               : op == PV_X_FSUB ? narrow ? (double)((float)u - (float)v) : u - v
               : op == PV_X_FMUL ? narrow ? (double)((float)u * (float)v) : u * v
                                 : (narrow ? (double)((float)u / (float)v) : u / v);
    if (!isfinite(r)) return false;
    if (r < out->lo) out->lo = r;
    if (r > out->hi) out->hi = r;
  }
  return true;
}

/* The value of a variable that one assignment sets, and nothing else; 0: it has others. */
static pv_expr assigned(const struct search *s, uint32_t var) {
  uint32_t edge = s->definitions[var];
  if (edge == PV_DEFINED_OFTEN || edge == PV_DEFINED_BY_CALL) return 0;
  const struct pv_edge *e = &s->f->edges.at[edge];
  return e->op == PV_OP_ASSIGN ? e->e[0] : 0;
}

static bool range_of(const struct search *s, pv_expr e, unsigned depth, struct range *out) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(s->p, e);
  struct range a, b;
  bool is_float = pv_type_kind(n->type) == PV_T_FLOAT, wide = pv_type_bits(n->type) > 64;
  if (depth > DEEPEST || !is_float || wide) return false;
  switch (n->op) {
  case PV_X_CONST: return of_constant(n->type, n->lo, out);
  case PV_X_VAR: return range_of(s, assigned(s, (uint32_t)n->lo), depth + 1, out);
  case PV_X_SITOFP:
  case PV_X_UITOFP:
    if (pv_type_bits(pv_node(s->p, n->a)->type) > 64) return false;
    of_integer(s, n, out);
    break;
  case PV_X_FPCONV:
    if (!range_of(s, n->a, depth + 1, out)) return false;
    break;
  case PV_X_FNEG:
    if (!range_of(s, n->a, depth + 1, &a)) return false;
    *out = (struct range){-a.hi, -a.lo};
    return true;
  case PV_X_SELECT:
    if (!range_of(s, n->b, depth + 1, &a) || !range_of(s, n->c, depth + 1, &b)) return false;
    *out = (struct range){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
    return true;
  case PV_X_FADD:
  case PV_X_FSUB:
  case PV_X_FMUL:
  case PV_X_FDIV:
    return range_of(s, n->a, depth + 1, &a) && range_of(s, n->b, depth + 1, &b) &&
           combine(n->op, n->type, a, b, out);
  default: return false;
  }
  *out = (struct range){rounded(n->type, out->lo), rounded(n->type, out->hi)};
  return is_finite(*out);
}

/* Does the condition hold for all values? */
static bool always(const struct search *s, pv_expr e) {
  const struct pv_expr_node *n = pv_node(s->p, e);
  struct range a, b;
  if (n->op == PV_X_AND) return always(s, n->a) && always(s, n->b);
  if (n->op != PV_X_FCMP || !range_of(s, n->a, 0, &a) || !range_of(s, n->b, 0, &b)) return false;
  switch (n->aux) {
  case PV_FCMP_OGT:
  case PV_FCMP_UGT: return a.lo > b.hi;
  case PV_FCMP_OGE:
  case PV_FCMP_UGE: return a.lo >= b.hi;
  case PV_FCMP_OLT:
  case PV_FCMP_ULT: return a.hi < b.lo;
  case PV_FCMP_OLE:
  case PV_FCMP_ULE: return a.hi <= b.lo;
  default: return false;
  }
}

/* ---- marks ----------------------------------------------------------------------------------- */

static bool is_cast(unsigned op) {
  return op == PV_X_FPTOSI || op == PV_X_FPTOUI;
}

/* Is the operand of the conversion in the range of its type, once its fraction is dropped? Then
 * *lo and *hi are bounds of the result. */
static bool is_in_range(const struct search *s, const struct pv_expr_node *n, uint64_t *lo,
                        uint64_t *hi) {
  struct range r;
  unsigned bits = pv_type_bits(n->type);
  if (bits > 64 || !range_of(s, n->a, 0, &r)) return false;
  double most = ldexp(1, n->op == PV_X_FPTOSI ? (int)bits - 1 : (int)bits);
  if (r.hi >= most || (n->op == PV_X_FPTOSI ? r.lo < -most : r.lo <= -1)) return false;
  *lo = n->op == PV_X_FPTOSI ? (uint64_t)(int64_t)r.lo : (uint64_t)fmax(r.lo, 0);
  *hi = n->op == PV_X_FPTOSI ? (uint64_t)(int64_t)r.hi : (uint64_t)r.hi;
  return true;
}

/* The expression with marks. `seen`: results by expression, 0: none yet. */
static pv_expr marked(const struct search *s, struct pv_program *p, pv_expr e,
                      struct pv_map *seen) {
  if (!e) return 0;
  struct pv_expr_node n = *pv_node(p, e); /* a copy: nodes move */
  unsigned arity = pv_expr_ops[n.op].arity;
  bool is_new;
  if (!arity) return e;
  uint32_t known = *pv_map_put(seen, &e, sizeof e, e, &is_new);
  if (!is_new) return known;
  struct pv_expr_node to = n;
  to.a = marked(s, p, n.a, seen);
  to.b = arity > 1 ? marked(s, p, n.b, seen) : n.b;
  to.c = arity > 2 ? marked(s, p, n.c, seen) : n.c;
  if (is_cast(n.op) && is_in_range(s, &n, &to.lo, &to.hi)) to.flags |= PV_XF_IN_RANGE;
  if (to.a == n.a && to.b == n.b && to.c == n.c && to.flags == n.flags) return e;
  pv_expr result = pv_mk(p, to);
  *pv_map_put(seen, &e, sizeof e, result, &is_new) = result;
  return result;
}

static void mark_edge(struct search *s, struct pv_program *p, struct pv_edge *e,
                      struct pv_map *seen) {
  if (e->op == PV_OP_CHECK && e->aux == PV_CHECK_FLOAT_CAST && always(s, e->e[0])) {
    e->op = PV_OP_SKIP;
    e->e[0] = 0;
    return;
  }
  for (unsigned i = 0; i < 3; i++) e->e[i] = marked(s, p, e->e[i], seen);
  for (uint32_t i = 0; i < e->args.n; i++) {
    pv_expr arg = marked(s, p, p->arg_pool.at[e->args.at + i], seen);
    p->arg_pool.at[e->args.at + i] = arg;
  }
}

void pv_float_ranges_mark(struct pv_program *p) {
  bool any = false;
  for (uint32_t i = 1; i < p->exprs.n; i++) any |= is_cast(p->exprs.at[i].op);
  for (uint32_t i = 0; any && i < p->functions.n; i++) {
    struct pv_function *f = &p->functions.at[i];
    struct search s = {.p = p, .f = f, .definitions = pv_definitions_new(p, f)};
    struct pv_map seen = {0};
    for (uint32_t k = 0; k < f->edges.n; k++) mark_edge(&s, p, &f->edges.at[k], &seen);
    pv_map_free(&seen);
    free(s.definitions);
  }
}
