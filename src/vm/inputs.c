/* inputs.c -- chooses the values to try for an input.
 *
 * If the value makes no difference, there is one (input_use.c). If there are few values, or only
 * few pass the tests directly after the input (input_paths.c), all of them are tried. If the
 * variable that receives the input is only compared with constants (directly or through copies),
 * one value from each interval between these constants represents the others. In all these cases
 * the choice is exact. Otherwise, values around the program's constants are tried. This is not
 * exact: the machine adds a proviso when the input is reached. */
#include "analysis/input_classes.h"
#include "vm/inputs_internal.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 256, MANY_CLASSES = 64 };
typedef pv_values values;

static uint64_t mask(unsigned w) {
  return w >= 64 ? UINT64_MAX : ((uint64_t)1 << w) - 1;
}

static void add(values *v, uint64_t x, unsigned w) {
  x &= mask(w);
  for (uint32_t i = 0; i < v->n; i++)
    if (v->at[i] == x) return;
  pv_vec_push(v, x);
}

static bool is_comparison(unsigned op) {
  return op >= PV_X_EQ && op <= PV_X_SLE;
}

/* ---- exactness ------------------------------------------------------------------------------- */
struct test { /* input op constant, or constant op input */
  uint8_t op;
  bool swapped;
  uint64_t constant;
};
typedef PV_VEC(struct test) test_list;
struct flow {
  const struct pv_program *p;
  uint8_t *holds; /* variable -> holds the input unchanged */
  test_list *tests;
};

static bool holds(const struct flow *x, pv_expr e) {
  const struct pv_expr_node *n = pv_node(x->p, e);
  return n->op == PV_X_VAR && x->holds[n->lo];
}

/* true if every use of the input in e is a comparison with a constant */
static bool only_compared(const struct flow *x, pv_expr e) {
  const struct pv_expr_node *n = pv_node(x->p, e);
  if (n->op == PV_X_VAR) return !x->holds[n->lo];
  if (pv_expr_ops[n->op].arity == 0) return true;
  if (is_comparison(n->op)) {
    const struct pv_expr_node *a = pv_node(x->p, n->a), *b = pv_node(x->p, n->b);
    if (holds(x, n->a) && b->op == PV_X_CONST) {
      pv_vec_push(x->tests, ((struct test){n->op, false, b->lo}));
      return true;
    }
    if (holds(x, n->b) && a->op == PV_X_CONST) {
      pv_vec_push(x->tests, ((struct test){n->op, true, a->lo}));
      return true;
    }
  }
  return only_compared(x, n->a) && (!n->b || only_compared(x, n->b)) &&
         (!n->c || only_compared(x, n->c));
}

static bool edge_only_compares(const struct flow *x, const struct pv_edge *e) {
  if (e->op == PV_OP_ASSIGN && holds(x, e->e[0])) return x->holds[e->dst];
  for (int i = 0; i < 3; i++)
    if (e->e[i] && !only_compared(x, e->e[i])) return false;
  for (uint32_t i = 0; i < e->args.n; i++)
    if (!only_compared(x, pv_arg(x->p, e->args, i))) return false;
  return true;
}

static bool only_tested(const struct pv_program *p, const struct pv_function *f, uint32_t var,
                        test_list *tests) {
  struct flow x = {p, pv_alloc(f->vars.n + 1), tests};
  x.holds[var] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < f->edges.n; i++) {
      const struct pv_edge *e = &f->edges.at[i];
      if (e->op != PV_OP_ASSIGN || !holds(&x, e->e[0]) || x.holds[e->dst]) continue;
      x.holds[e->dst] = changed = 1;
    }
  }
  bool exact = true;
  for (uint32_t i = 0; i < f->edges.n && exact; i++)
    exact = edge_only_compares(&x, &f->edges.at[i]);
  free(x.holds);
  return exact;
}

static bool passes(const struct test *t, uint64_t v, unsigned w) {
  uint64_t a = t->swapped ? t->constant : v, b = t->swapped ? v : t->constant;
  int64_t sa = (int64_t)(a << (64 - w)) >> (64 - w), sb = (int64_t)(b << (64 - w)) >> (64 - w);
  switch (t->op) {
  case PV_X_EQ: return a == b;
  case PV_X_NE: return a != b;
  case PV_X_ULT: return a < b;
  case PV_X_ULE: return a <= b;
  case PV_X_SLT: return sa < sb;
  default: return sa <= sb;
  }
}

/* Keeps one of several values that pass the same tests. */
static void keep_one_of_each(values *v, const test_list *tests, unsigned w) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < v->n; i++) {
    bool same = false;
    for (uint32_t k = 0; k < kept && !same; k++) {
      same = true;
      for (uint32_t t = 0; t < tests->n && same; t++)
        same = passes(&tests->at[t], v->at[i], w) == passes(&tests->at[t], v->at[k], w);
    }
    if (!same) v->at[kept++] = v->at[i];
  }
  v->n = kept;
}

/* ---- heuristic values ------------------------------------------------------------------------ */
static void program_constants(const struct pv_program *p, unsigned w, values *out) {
  for (uint32_t i = 1; i < p->exprs.n && out->n < 64; i++) {
    const struct pv_expr_node *n = &p->exprs.at[i];
    if (!is_comparison(n->op)) continue;
    const struct pv_expr_node *a = pv_node(p, n->a), *b = pv_node(p, n->b);
    if (b->op == PV_X_CONST && pv_type_bits(b->type) == w) add(out, b->lo, w);
    if (a->op == PV_X_CONST && pv_type_bits(a->type) == w) add(out, a->lo, w);
  }
}

static void finish(values *v, struct pv_inputs *out, bool exact) {
  out->value = v->at;
  out->n = v->n;
  out->exact = exact;
}

static void float_inputs(pv_type t, values *v) {
  static const double some[] = {0.0, 1.0, -1.0, 0.5, 1e9, -1e9};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    uint64_t bits = 0;
    float f = (float)some[i];
    if (pv_type_bits(t) == 32)
      memcpy(&bits, &f, 4);
    else if (pv_type_bits(t) == 64)
      memcpy(&bits, &some[i], 8);
    else if (i)
      break; /* long double: zero only */
    pv_vec_push(v, bits);
  }
}

/* All values that can make a difference, if they are few. */
static bool few_values(const pv_ranges *uses, const pv_values *single, unsigned w, values *v) {
  for (uint32_t i = 0; i < uses->n; i++) {
    if ((uint64_t)uses->at[i].high - (uint64_t)uses->at[i].low >= FEW) return false;
    for (int64_t x = uses->at[i].low;; x++) {
      add(v, (uint64_t)x, w);
      if (x == uses->at[i].high) break;
    }
    if (v->n > FEW) return false;
  }
  for (uint32_t i = 0; i < single->n && v->n <= FEW; i++) add(v, single->at[i], w);
  return v->n <= FEW;
}

/* Keeps the guesses that can make a difference. */
static void keep_useful(values *v, const pv_ranges *uses, const pv_values *single, unsigned w) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < v->n; i++) {
    int64_t x = (int64_t)(v->at[i] << (64 - w)) >> (64 - w);
    bool useful = false;
    for (uint32_t k = 0; k < uses->n && !useful; k++)
      useful = uses->at[k].low <= x && x <= uses->at[k].high;
    if (useful) v->at[kept++] = v->at[i];
  }
  v->n = kept;
  for (uint32_t k = 0; k < uses->n && k < 8; k++) {
    add(v, (uint64_t)uses->at[k].low, w);
    add(v, (uint64_t)uses->at[k].high, w);
  }
  for (uint32_t k = 0; k < single->n && k < 8; k++) add(v, single->at[k], w);
}

/* One value of each class that analysis/input_classes.h finds. Returns false if it finds none, or
 * too many. */
static bool one_of_each_class(const struct pv_program *p, const struct pv_edge *e,
                              struct pv_input_classes **classes, values *v) {
  if (e->op != PV_OP_HAVOC) return false;
  if (!*classes) *classes = pv_input_classes_new(p);
  uint32_t n;
  const int64_t *least = pv_input_classes_get(*classes, e->site, &n);
  if (!least || n > MANY_CLASSES) return false;
  unsigned w = pv_type_bits(e->type);
  if (!e->e[0]) add(v, 0, w); /* zero represents its class, and comes first */
  for (uint32_t i = 0; i < n; i++) {
    bool has_zero = least[i] <= 0 && (i + 1 == n || least[i + 1] > 0);
    if (e->e[0] || !has_zero) add(v, (uint64_t)least[i], w);
  }
  return true;
}

static void wide_inputs(const struct pv_program *p, const struct pv_function *f,
                        const struct pv_edge *e, long max, struct pv_input_classes **classes,
                        struct pv_inputs *out) {
  values v = {0}, points = {0}, single = {0};
  pv_ranges uses = {0};
  test_list tests = {0};
  unsigned w = pv_type_bits(e->type);
  bool compared = only_tested(p, f, e->dst, &tests) && tests.n <= FEW / 4;
  pv_input_paths(p, f, e, &uses, &single);
  bool exact = compared || few_values(&uses, &single, w, &v);
  if (!compared && exact) goto done;
  v.n = 0;
  if (!exact && one_of_each_class(p, e, classes, &v)) {
    exact = true;
    goto done;
  }
  if (compared)
    for (uint32_t i = 0; i < tests.n; i++) add(&points, tests.at[i].constant, w);
  else
    program_constants(p, w, &points);
  add(&v, 0, w);
  add(&v, 1, w);
  uint64_t least = (uint64_t)1 << (w - 1);
  for (uint32_t i = 0; i < points.n && (exact || v.n + 3 <= (uint32_t)max); i++)
    for (int d = -1; d <= 1; d++) add(&v, points.at[i] + (uint64_t)(int64_t)d, w);
  if (exact || v.n + 1 <= (uint32_t)max) add(&v, UINT64_MAX, w);
  if (exact || v.n + 2 <= (uint32_t)max) {
    add(&v, least, w);
    add(&v, least - 1, w);
  }
  if (compared)
    keep_one_of_each(&v, &tests, w);
  else
    keep_useful(&v, &uses, &single, w);
  if (!exact && v.n > (uint32_t)max) v.n = (uint32_t)max;
done:
  pv_vec_free(&points);
  pv_vec_free(&tests);
  pv_vec_free(&uses);
  pv_vec_free(&single);
  if (!v.n) pv_vec_push(&v, 0); /* no value passes; any value shows that */
  finish(&v, out, exact);
}

/* Is it an input with constant bounds that has too many values to try them all? */
static bool has_wide_bounds(const struct pv_program *p, const struct pv_edge *e,
                            struct pv_range *bounds) {
  unsigned w = pv_type_bits(e->type);
  const struct pv_expr_node *low = pv_node(p, e->e[0]), *high = pv_node(p, e->e[1]);
  if (e->aux != PV_HAVOC_SIGNED || low->op != PV_X_CONST || high->op != PV_X_CONST || w > 64)
    return false;
  bounds->low = (int64_t)(low->lo << (64 - w)) >> (64 - w);
  bounds->high = (int64_t)(high->lo << (64 - w)) >> (64 - w);
  return bounds->low <= bounds->high &&
         (uint64_t)bounds->high - (uint64_t)bounds->low >= PV_CHOICES;
}

/* Collects the constants of all widths that the program compares with, because a bounded input is
 * often widened first. */
static void constants_within(const struct pv_program *p, const struct pv_range *bounds,
                             values *out) {
  for (uint32_t i = 1; i < p->exprs.n && out->n < 64; i++) {
    const struct pv_expr_node *n = &p->exprs.at[i];
    if (!is_comparison(n->op)) continue;
    const struct pv_expr_node *sides[] = {pv_node(p, n->a), pv_node(p, n->b)};
    for (unsigned k = 0; k < 2; k++) {
      unsigned w = pv_type_bits(sides[k]->type);
      if (sides[k]->op != PV_X_CONST || w > 64) continue;
      int64_t x = (int64_t)(sides[k]->lo << (64 - w)) >> (64 - w);
      if (bounds->low <= x && x <= bounds->high) add(out, (uint64_t)x, 64);
    }
  }
}

static void bounded_inputs(const struct pv_program *p, const struct pv_function *f,
                           const struct pv_edge *e, long max, struct pv_input_classes **classes,
                           struct pv_inputs *out) {
  struct pv_range bounds;
  unsigned w = pv_type_bits(e->type);
  values v = {0}, points = {0};
  if (!has_wide_bounds(p, e, &bounds)) return; /* the machine tries all values */
  bool exact = true;
  if (e->dst == PV_NO_VAR || !pv_input_is_used(p, (uint32_t)(f - p->functions.at), e->dst)) {
    pv_vec_push(&v, (uint64_t)bounds.low & mask(w));
  } else if (!one_of_each_class(p, e, classes, &v)) {
    exact = false;
    constants_within(p, &bounds, &points);
    add(&v, (uint64_t)bounds.low, w);
    add(&v, (uint64_t)bounds.high, w);
    for (uint32_t i = 0; i < points.n && v.n + 3 <= (uint32_t)max; i++)
      for (int d = -1; d <= 1; d++) {
        int64_t x = (int64_t)((points.at[i] + (uint64_t)(int64_t)d) << (64 - w)) >> (64 - w);
        if (bounds.low <= x && x <= bounds.high) add(&v, (uint64_t)x, w);
      }
  }
  pv_vec_free(&points);
  finish(&v, out, exact);
}

void pv_inputs_find(const struct pv_program *p, const struct pv_function *f,
                    const struct pv_edge *e, long max, struct pv_input_classes **classes,
                    struct pv_inputs *out) {
  values v = {0};
  unsigned w = pv_type_bits(e->type);
  if (e->op == PV_OP_HAVOC && e->e[0]) {
    bounded_inputs(p, f, e, max, classes, out);
    return;
  }
  if (e->dst == PV_NO_VAR || !pv_input_is_used(p, (uint32_t)(f - p->functions.at), e->dst)) {
    pv_vec_push(&v, 0);
    finish(&v, out, true);
    return;
  }
  if (pv_type_kind(e->type) != PV_T_INT || w > 64) {
    if (pv_type_kind(e->type) == PV_T_FLOAT)
      float_inputs(e->type, &v);
    else
      pv_vec_push(&v, 0);
    finish(&v, out, false);
    return;
  }
  if (w <= 8) {
    for (uint64_t x = 0; x <= mask(w); x++) pv_vec_push(&v, x);
    finish(&v, out, true);
    return;
  }
  wide_inputs(p, f, e, max, classes, out);
}
