/* slice_essential.c -- finds the statements that show a violation of a property. */
#include "analysis/dependence_internal.h"
#include "analysis/slice.h"

#include "sched/sched.h"

struct essential {
  const struct pv_program *p;
  const struct pv_points_to *pt;
  const struct pv_intervals *intervals; /* or NULL */
  pv_properties asked;
  uint8_t *overflows; /* by expression: may it, or a part of it, overflow? */
  uint64_t *set;      /* of objects */
};

/* ---- operations that may be undefined -------------------------------------------------------- */
/* Subexpressions have lower numbers than the expression. */
static void find_overflows(struct essential *x) {
  x->overflows = pv_alloc(x->p->exprs.n + 1);
  for (pv_expr e = 1; e < x->p->exprs.n; e++) {
    const struct pv_expr_node *n = pv_node(x->p, e);
    bool parts = pv_expr_ops[n->op].arity > 0;
    x->overflows[e] = n->flags & PV_XF_NSW || n->op == PV_X_SDIV || n->op == PV_X_SREM;
    if (parts && (n->a >= e || n->b >= e || n->c >= e)) x->overflows[e] = 1;
    if (parts && !x->overflows[e])
      x->overflows[e] = x->overflows[n->a] || x->overflows[n->b] || x->overflows[n->c];
  }
}

static bool may_overflow(const struct essential *x, const struct pv_edge *e) {
  bool found = e->op == PV_OP_CHECK && pv_check_is_overflow(e->aux);
  for (int i = 0; i < 3; i++) found = found || x->overflows[e->e[i]];
  for (uint32_t i = 0; i < e->args.n && !found; i++) found = x->overflows[pv_arg(x->p, e->args, i)];
  return found;
}

/* An edge of the program, and an operation on memory there. */
struct place {
  uint32_t function;
  const struct pv_edge *e;
};

/* Is it an access of that many bytes to a variable under its own name, inside of the variable? */
static bool is_inside(const struct essential *x, struct place at, pv_expr e, uint64_t bytes) {
  const struct pv_program *p = x->p;
  const struct pv_function *f = &p->functions.at[at.function];
  const struct pv_expr_node *n = pv_node(p, e);
  uint64_t offset = 0;
  if (x->intervals) return pv_intervals_inside(x->intervals, at.function, at.e->from, e, bytes);
  if (n->op == PV_X_PTRADD && pv_node(p, n->b)->op == PV_X_CONST) {
    offset = pv_node(p, n->b)->lo;
    n = pv_node(p, n->a);
  }
  if (n->op != PV_X_GLOBAL && (n->op != PV_X_SLOT || f->slots.at[n->lo].scoped)) return false;
  bool global = n->op == PV_X_GLOBAL;
  if (global && p->globals.at[n->lo].is_external) return false;
  uint64_t size = global ? p->globals.at[n->lo].size : f->slots.at[n->lo].size;
  return bytes <= size && offset <= size - bytes;
}

static bool is_constant(const struct pv_program *p, pv_expr e) {
  const struct pv_expr_node *n = pv_node(p, e);
  while (n->op == PV_X_PTRADD) n = pv_node(p, n->a);
  return n->op == PV_X_GLOBAL && p->globals.at[n->lo].is_const;
}

static bool primitive_may_miss(const struct essential *x, struct place at) {
  const struct pv_prim *prim = x->p->prims.at[at.e->aux].prim;
  uint32_t n = at.e->args.n, objects = prim->two_objects ? 2 : 1;
  if (prim->class != PV_PRIM_OBJECT || n > objects) return n > 0; /* others cannot miss an object */
  for (uint32_t i = 0; i < n; i++)
    if (!is_inside(x, at, pv_arg(x->p, at.e->args, i), PV_SYNC_BYTES)) return true;
  return false;
}

static bool may_fail(const struct essential *x, struct place at) {
  const struct pv_edge *e = at.e;
  if (e->aux != PV_CHECK_ARRAY_BOUNDS && e->aux != PV_CHECK_ARGUMENT) return false;
  if (!x->intervals) return true;
  struct pv_interval holds = pv_intervals_of(x->intervals, at.function, e->from, e->e[0]);
  return !pv_interval_is_empty(holds) && holds.hi != -1; /* it is a true i1 */
}

static bool may_miss(const struct essential *x, struct place at) {
  const struct pv_edge *e = at.e;
  switch (e->op) {
  case PV_OP_LOAD: return !is_inside(x, at, e->e[0], pv_type_bytes(e->type));
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
    return is_constant(x->p, e->e[0]) || !is_inside(x, at, e->e[0], pv_type_bytes(e->type));
  case PV_OP_COPY:
  case PV_OP_FILL:
  case PV_OP_PRINT: return true;
  case PV_OP_PRIM: return primitive_may_miss(x, at);
  case PV_OP_CHECK: return may_fail(x, at);
  case PV_OP_CALL: return e->callee == PV_NO_FUNC;
  default: return false;
  }
}

/* Is the operand certainly no 0 (of a division), or less than the width (of a shift)? */
static bool is_safe_operand(const struct pv_program *p, const struct pv_expr_node *n) {
  const struct pv_expr_node *b = pv_node(p, n->b);
  if (b->op != PV_X_CONST) return false;
  switch (n->op) {
  case PV_X_SHL:
  case PV_X_LSHR:
  case PV_X_ASHR: return b->lo < pv_type_bits(n->type) && !b->hi;
  default: { /* not MIN / -1, either */
    unsigned bits = pv_type_bits(n->type);
    return (b->lo || b->hi) && (bits > 63 || b->lo + 1 != UINT64_C(1) << bits) && b->lo + 1;
  }
  }
}

/* By expression: may it, or a part of it, be undefined, other than by an overflow? */
static uint8_t *find_partial(const struct pv_program *p) {
  uint8_t *partial = pv_alloc(p->exprs.n + 1);
  for (pv_expr e = 1; e < p->exprs.n; e++) {
    const struct pv_expr_node *n = pv_node(p, e);
    bool own = n->op == PV_X_SDIV || n->op == PV_X_UDIV || n->op == PV_X_SREM ||
               n->op == PV_X_UREM || n->op == PV_X_SHL || n->op == PV_X_LSHR || n->op == PV_X_ASHR;
    bool parts = pv_expr_ops[n->op].arity > 0;
    partial[e] = (own && !is_safe_operand(p, n)) || n->op == PV_X_FPTOSI || n->op == PV_X_FPTOUI ||
                 (parts && (n->a >= e || n->b >= e || n->c >= e));
    if (parts && !partial[e]) partial[e] = partial[n->a] || partial[n->b] || partial[n->c];
  }
  return partial;
}

static bool is_partial(const struct pv_program *p, const uint8_t *partial,
                       const struct pv_edge *e) {
  for (int i = 0; i < 3; i++)
    if (partial[e->e[i]]) return true;
  for (uint32_t i = 0; i < e->args.n; i++)
    if (partial[pv_arg(p, e->args, i)]) return true;
  return false;
}

static bool check_may_fail(const struct essential *x, struct place at) {
  if (!x->intervals) return true;
  struct pv_interval holds = pv_intervals_of(x->intervals, at.function, at.e->from, at.e->e[0]);
  return !pv_interval_is_empty(holds) && holds.hi != -1; /* it is a true i1 */
}

void pv_undefined(const struct pv_program *p, const struct pv_points_to *pt,
                  const struct pv_intervals *intervals, pv_statements *out) {
  struct essential x = {.p = p, .pt = pt, .intervals = intervals};
  uint8_t *partial = find_partial(p);
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      struct pv_statement s = {f, i};
      struct place at = {f, e};
      bool check = e->op == PV_OP_CHECK && check_may_fail(&x, at);
      bool own = e->op == PV_OP_FREE;
      if (check || own || (e->op != PV_OP_CHECK && may_miss(&x, at)) || is_partial(p, partial, e))
        pv_vec_push(out, s);
    }
  free(partial);
}

/* ---- threads --------------------------------------------------------------------------------- */
static bool reaches_shared(const struct essential *x, uint32_t function, pv_expr address) {
  uint32_t words = pv_points_to_words(x->pt);
  memset(x->set, 0, words * sizeof *x->set);
  pv_points_to_address(x->pt, function, address, x->set);
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t rest = x->set[w]; rest; rest &= rest - 1)
      if (pv_points_to_escapes(x->pt, 64 * w + (uint32_t)__builtin_ctzll(rest))) return true;
  return false;
}

static bool may_race(const struct essential *x, uint32_t function, const struct pv_edge *e) {
  switch (e->op) {
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
  case PV_OP_FILL:
  case PV_OP_FREE:
  case PV_OP_PRINT: return reaches_shared(x, function, e->e[0]);
  case PV_OP_COPY:
    return reaches_shared(x, function, e->e[0]) || reaches_shared(x, function, e->e[1]);
  case PV_OP_RETURN: return x->p->functions.at[function].slots.n > 0; /* their lifetimes end */
  case PV_OP_LIVE:
  case PV_OP_DEAD:
  case PV_OP_ALLOC:
  case PV_OP_PRIM:
  case PV_OP_ATOMIC_BEGIN:
  case PV_OP_ATOMIC_END: return true;
  default: return false;
  }
}

static bool may_deadlock(const struct pv_program *p, const struct pv_edge *e) {
  return e->op == PV_OP_STOP ||
         (e->op == PV_OP_PRIM && p->prims.at[e->aux].prim->class != PV_PRIM_LOCAL);
}

/* ---- properties ------------------------------------------------------------------------------ */
static bool asked(const struct essential *x, enum pv_property property) {
  return (x->asked & PV_PROP_BIT(property)) != 0;
}

static bool is_essential(const struct essential *x, uint32_t function, const struct pv_edge *e) {
  bool observer = (e->op == PV_OP_ERROR && e->aux == PV_ERROR_OBSERVER) ||
                  (e->op == PV_OP_STOP && e->aux == PV_STOP_OBSERVER);
  bool error = e->op == PV_OP_ERROR && !observer;
  return (asked(x, PV_PROP_UNREACH_CALL) && error) || (asked(x, PV_PROP_OBSERVER) && observer) ||
         (asked(x, PV_PROP_NO_DEADLOCK) && may_deadlock(x->p, e)) ||
         (asked(x, PV_PROP_NO_OVERFLOW) && may_overflow(x, e)) ||
         (asked(x, PV_PROP_VALID_DEREF) && may_miss(x, (struct place){function, e})) ||
         (asked(x, PV_PROP_VALID_FREE) && e->op == PV_OP_FREE) ||
         (asked(x, PV_PROP_NO_DATA_RACE) && may_race(x, function, e));
}

pv_properties pv_essential(const struct pv_program *p, const struct pv_points_to *pt,
                           const struct pv_intervals *intervals, pv_properties properties,
                           pv_statements *out) {
  struct essential x = {.p = p, .pt = pt, .intervals = intervals, .asked = properties};
  const pv_properties whole =
      PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR) | PV_PROP_BIT(PV_PROP_VALID_MEMTRACK) |
      PV_PROP_BIT(PV_PROP_VALID_MEMCLEANUP) | PV_PROP_BIT(PV_PROP_INVARIANT) |
      PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION);
  x.set = pv_alloc((pv_points_to_words(pt) + 1) * sizeof *x.set);
  find_overflows(&x);
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      struct pv_statement s = {f, i};
      if (is_essential(&x, f, &p->functions.at[f].edges.at[i])) pv_vec_push(out, s);
    }
  free(x.overflows);
  free(x.set);
  /* Any call may continue at another place. */
  return p->has_jumps ? properties : properties & whole;
}

pv_properties pv_slice_add_essential(struct pv_slice *s, const struct pv_points_to *pt,
                                     pv_properties properties) {
  pv_statements list = {0};
  pv_properties whole = pv_essential(s->graph->p, pt, NULL, properties, &list);
  if (whole) pv_slice_add_all(s);
  for (uint32_t i = 0; i < list.n && !whole; i++)
    pv_slice_add(s, list.at[i].function, list.at[i].edge);
  pv_vec_free(&list);
  return whole;
}
