/* idle.c -- removes operations of models that have no effect.
 *
 * Features of the C library that few programs use are guarded in the models by variables that all
 * other programs never write (unwritten.c). Branches on such a constant are decided here, and calls
 * of models without any effect are removed from other models: every thread that ends executed two
 * such calls. Code of the program itself is not changed. */
#include <stdlib.h>

#include "ir/ir.h"

static bool is_constant(const struct pv_program *p, pv_expr e) {
  return e && pv_node(p, e)->op == PV_X_CONST;
}

static bool mentions(const struct pv_program *p, pv_expr e, uint32_t var) {
  for (; e; e = pv_node(p, e)->a) {
    const struct pv_expr_node *n = pv_node(p, e);
    if (n->op == PV_X_VAR) return n->lo == var;
    if (pv_expr_ops[n->op].arity == 0) return false;
    if (mentions(p, n->b, var) || mentions(p, n->c, var)) return true;
  }
  return false;
}

static pv_expr put_in(struct pv_program *p, pv_expr e, uint32_t var, pv_expr value) {
  if (!e || !mentions(p, e, var)) return e;
  struct pv_expr_node n = *pv_node(p, e);
  if (n.op == PV_X_VAR) return value;
  n.a = put_in(p, n.a, var, value);
  n.b = put_in(p, n.b, var, value);
  n.c = put_in(p, n.c, var, value);
  return pv_mk(p, n);
}

/* The number of times that the edge writes the variable. */
static uint32_t writes(const struct pv_program *p, const struct pv_edge *e, uint32_t var) {
  uint32_t n = (e->dst == var) + (e->dst2 == var);
  for (uint32_t i = 0; i < e->dsts.n; i++) n += pv_arg(p, e->dsts, i) == var;
  return n;
}

static bool reads(const struct pv_program *p, const struct pv_edge *e, uint32_t var) {
  for (int i = 0; i < 3; i++)
    if (mentions(p, e->e[i], var)) return true;
  for (uint32_t i = 0; i < e->args.n; i++)
    if (mentions(p, pv_arg(p, e->args, i), var)) return true;
  return false;
}

/* Does the edge assign a constant to a temporary that has no other value? */
static bool gives_constant(const struct pv_program *p, const struct pv_function *f,
                           const struct pv_edge *e) {
  if (e->op != PV_OP_ASSIGN || !f->vars.at[e->dst].is_temp || !is_constant(p, e->e[0]))
    return false;
  uint32_t n = e->dst < f->n_params;
  for (uint32_t i = 0; i < f->edges.n; i++) n += writes(p, &f->edges.at[i], e->dst);
  return n == 1;
}

static bool is_branch(const struct pv_edge *e) {
  return e->op == PV_OP_ASSUME && !e->aux; /* not on an observer's state */
}

static void skip(struct pv_edge *e) {
  struct pv_edge nothing = pv_edge_of(PV_OP_SKIP, e->from, e->to);
  nothing.span = e->span;
  nothing.stmt = e->stmt;
  *e = nothing;
}

/* Replaces the variable in conditions by the constant; removes its assignment if nothing else reads
 * it. */
static bool decide(struct pv_program *p, struct pv_function *f, struct pv_edge *constant) {
  uint32_t var = constant->dst;
  pv_expr value = constant->e[0];
  bool still_read = false, any = false;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    struct pv_edge *e = &f->edges.at[i];
    pv_expr decided = is_branch(e) ? put_in(p, e->e[0], var, value) : 0;
    if (is_constant(p, decided)) {
      e->e[0] = decided;
      any = true;
    } else {
      still_read |= reads(p, e, var);
    }
  }
  if (any && !still_read) skip(constant);
  return any;
}

/* Removes branches that are decided. */
static void keep_possible(struct pv_program *p, struct pv_function *f) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    struct pv_edge e = f->edges.at[i];
    bool decided = is_branch(&e) && is_constant(p, e.e[0]);
    if (decided && !pv_node(p, e.e[0])->lo) continue;
    if (decided) skip(&e);
    f->edges.at[kept++] = e;
  }
  f->edges.n = kept;
}

static void remake(struct pv_program *p, struct pv_function *f) {
  pv_function_shorten(f);
  pv_function_finish(p, f);
}

static void decide_all(struct pv_program *p, struct pv_function *f) {
  bool any = false;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (gives_constant(p, f, &f->edges.at[i])) any |= decide(p, f, &f->edges.at[i]);
  if (!any) return;
  keep_possible(p, f);
  remake(p, f);
}

static bool does_nothing(const struct pv_function *f) {
  if (!f->defined || !f->is_model || f->atomic || f->slots.n) return false;
  const struct pv_location *l = &f->locs.at[f->entry];
  const struct pv_edge *e = &f->edges.at[l->first_out];
  return l->n_out == 1 && e->op == PV_OP_RETURN && !e->args.n;
}

static bool skip_calls(struct pv_program *p, struct pv_function *f) {
  bool any = false;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    struct pv_edge *e = &f->edges.at[i];
    if (e->op != PV_OP_CALL || e->callee == PV_NO_FUNC || e->dsts.n) continue;
    if (!does_nothing(&p->functions.at[e->callee])) continue;
    skip(e);
    any = true;
  }
  if (any) remake(p, f);
  return any;
}

void pv_program_drop_idle(struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    if (p->functions.at[f].is_model) decide_all(p, &p->functions.at[f]);
  /* A function that only calls such functions has no effect, either. */
  for (bool again = true; again;) {
    again = false;
    for (uint32_t f = 0; f < p->functions.n; f++)
      if (p->functions.at[f].is_model) again |= skip_calls(p, &p->functions.at[f]);
  }
}
