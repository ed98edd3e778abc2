/* abstract_split.c -- variables with one purpose. */
#include "abstraction/abstract_internal.h"

#include <stdlib.h>

/* Temporaries share variables (pv_function_share). Definitions of a variable that reach no common
 * use get variables of their own, so that most variables have one definition. */
struct split {
  struct abstractor *x;
  uint32_t var;
  PV_VEC(uint32_t) defs;  /* edges */
  uint8_t **reached;      /* by definition: the locations that it reaches */
  PV_VEC(uint32_t) group; /* by definition: the smallest one with a common use */
};

static bool defines(const struct pv_edge *e, uint32_t var) {
  return e->dst == var || e->dst2 == var;
}

static void reach_uses(const struct split *s, pv_loc at, uint8_t *seen) {
  const struct pv_function *f = s->x->f;
  PV_VEC(pv_loc) todo = {0};
  pv_vec_push(&todo, at);
  while (todo.n) {
    pv_loc l = pv_vec_pop(&todo);
    if (seen[l]) continue;
    seen[l] = 1;
    const struct pv_location *loc = &f->locs.at[l];
    for (uint32_t k = 0; k < loc->n_out; k++) {
      const struct pv_edge *e = &f->edges.at[loc->first_out + k];
      if (!defines(e, s->var)) pv_vec_push(&todo, e->to);
    }
  }
  pv_vec_free(&todo);
}

static bool mentions_var(const struct pv_program *p, pv_expr e, uint32_t var) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_VAR) return n->lo == var;
  return mentions_var(p, n->a, var) || mentions_var(p, n->b, var) || mentions_var(p, n->c, var);
}

static bool has_args(const struct pv_edge *e) {
  return e->op == PV_OP_CALL || e->op == PV_OP_RETURN || e->op == PV_OP_PRIM ||
         e->op == PV_OP_QUERY;
}

static bool uses(const struct pv_program *p, const struct pv_edge *e, uint32_t var) {
  bool any = false;
  for (unsigned i = 0; i < 3; i++) any |= mentions_var(p, e->e[i], var);
  for (uint32_t i = 0; has_args(e) && i < e->args.n; i++)
    any |= mentions_var(p, pv_arg(p, e->args, i), var);
  return any;
}

static pv_expr renamed(struct pv_program *p, pv_expr e, uint32_t from, uint32_t to) {
  if (!e || !mentions_var(p, e, from)) return e;
  struct pv_expr_node n = *pv_node(p, e);
  if (n.op == PV_X_VAR) return pv_mk_var(p, n.type, to);
  n.a = renamed(p, n.a, from, to);
  n.b = renamed(p, n.b, from, to);
  n.c = renamed(p, n.c, from, to);
  return pv_mk(p, n);
}

static void rename_uses(struct pv_program *p, struct pv_edge *e, uint32_t from, uint32_t to) {
  for (unsigned i = 0; i < 3; i++) e->e[i] = renamed(p, e->e[i], from, to);
  if (!has_args(e)) return;
  PV_VEC(pv_expr) args = {0};
  for (uint32_t i = 0; i < e->args.n; i++)
    pv_vec_push(&args, renamed(p, pv_arg(p, e->args, i), from, to));
  e->args = pv_mk_args(p, args.at, args.n);
  pv_vec_free(&args);
}

static void group_definitions(struct split *s) {
  const struct pv_function *f = s->x->f;
  for (uint32_t i = 0; i < s->defs.n; i++) pv_vec_push(&s->group, i);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (!uses(s->x->p, e, s->var)) continue;
    uint32_t one = UINT32_MAX;
    for (uint32_t d = 0; d < s->defs.n; d++) {
      if (!s->reached[d][e->from]) continue;
      uint32_t group = s->group.at[d];
      if (one == UINT32_MAX) one = group;
      uint32_t small = group < one ? group : one, large = group < one ? one : group;
      for (uint32_t k = 0; k < s->defs.n; k++)
        if (s->group.at[k] == large) s->group.at[k] = small;
      one = small;
    }
  }
}

static void split_one(struct split *s) {
  struct abstractor *x = s->x;
  struct pv_function *f = x->f;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (defines(e, s->var)) pv_vec_push(&s->defs, i);
    for (uint32_t k = 0; e->op == PV_OP_CALL && k < e->dsts.n; k++)
      if (pv_arg(x->p, e->dsts, k) == s->var) return;
  }
  if (s->defs.n < 2) return;
  s->reached = pv_alloc(s->defs.n * sizeof *s->reached);
  for (uint32_t d = 0; d < s->defs.n; d++) {
    s->reached[d] = pv_alloc(f->locs.n + 1);
    reach_uses(s, f->edges.at[s->defs.at[d]].to, s->reached[d]);
  }
  group_definitions(s);
  uint32_t *var = pv_alloc(s->defs.n * sizeof *var);
  for (uint32_t d = 0; d < s->defs.n; d++) {
    bool first = s->group.at[d] == d && d;
    if (first) {
      struct pv_variable copy = f->vars.at[s->var];
      pv_vec_push(&f->vars, copy);
    }
    var[d] = d == 0 ? s->var : first ? f->vars.n - 1 : var[s->group.at[d]];
  }
  for (uint32_t i = 0; i < f->edges.n; i++) {
    if (!uses(x->p, &f->edges.at[i], s->var)) continue;
    uint32_t d = 0;
    while (d < s->defs.n && !s->reached[d][f->edges.at[i].from]) d++;
    if (d < s->defs.n && var[d] != s->var) rename_uses(x->p, &f->edges.at[i], s->var, var[d]);
  }
  for (uint32_t d = 0; d < s->defs.n; d++) {
    struct pv_edge *e = &f->edges.at[s->defs.at[d]];
    if (e->dst == s->var) e->dst = var[d];
    if (e->dst2 == s->var) e->dst2 = var[d];
    free(s->reached[d]);
  }
  free(s->reached);
  free(var);
}

void pv_abs_split_variables(struct abstractor *x, struct pv_function *f) {
  uint32_t first = f->n_params + (f->variadic ? 1 : 0), n = f->vars.n;
  x->f = f;
  for (uint32_t v = first; v < n; v++) {
    struct split s = {.x = x, .var = v};
    split_one(&s);
    pv_vec_free(&s.defs);
    pv_vec_free(&s.group);
  }
}
