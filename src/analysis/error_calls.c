#include "analysis/error_calls.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/call_graph.h"

/* kind: FUNC, GLOBAL, or CONST for an expression. */
struct named {
  uint32_t kind, number;
};
struct names {
  const struct pv_program *p;
  struct pv_map seen; /* struct named */
  PV_VEC(struct named) todo;
};

static void name(struct names *n, enum pv_expr_op kind, uint64_t number) {
  struct named key = {(uint32_t)kind, (uint32_t)number};
  bool is_new;
  pv_map_put(&n->seen, &key, sizeof key, 0, &is_new);
  if (is_new) pv_vec_push(&n->todo, key);
}

static void name_expr(struct names *n, pv_expr e) {
  if (e) name(n, PV_X_CONST, e);
}

/* What the expression consists of. */
static void look_into(struct names *n, pv_expr e) {
  const struct pv_expr_node *x = pv_node(n->p, e);
  if (x->op == PV_X_FUNC || x->op == PV_X_GLOBAL) name(n, (enum pv_expr_op)x->op, x->lo);
  if (x->op == PV_X_LABEL) name(n, PV_X_FUNC, x->lo);
  if (!pv_expr_ops[x->op].arity) return;
  name_expr(n, x->a);
  name_expr(n, x->b);
  name_expr(n, x->c);
}

/* The function that every new thread begins in. */
static void name_thread_main(struct names *n) {
  for (uint32_t f = 0; f < n->p->functions.n; f++)
    if (!strcmp(n->p->functions.at[f].name, "__proviso_thread_main")) name(n, PV_X_FUNC, f);
}

/* Is it an error, or a place behind which there may be one? */
static bool is_suspect(const struct names *n, const struct pv_function *f,
                       const struct pv_edge *e) {
  if (e->op == PV_OP_ERROR) return e->aux != PV_ERROR_OBSERVER;
  if (e->op == PV_OP_STOP)
    return e->aux == PV_STOP_OBSERVER || (e->aux == PV_STOP_UNSUPPORTED && !f->is_model);
  return e->op == PV_OP_CALL && e->callee != PV_NO_FUNC && !n->p->functions.at[e->callee].defined;
}

static bool look_at_function(struct names *n, const struct pv_function *f) {
  if (!f->defined) return true;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (is_suspect(n, f, e)) return true;
    if (e->op == PV_OP_CALL && e->callee != PV_NO_FUNC) name(n, PV_X_FUNC, e->callee);
    if (pv_creates_thread(n->p, e)) name_thread_main(n);
    for (int k = 0; k < 3; k++) name_expr(n, e->e[k]);
    for (uint32_t k = 0; k < e->args.n; k++) name_expr(n, pv_arg(n->p, e->args, k));
  }
  return false;
}

bool pv_may_call_error(const struct pv_program *p) {
  struct names n = {.p = p};
  bool found = false;
  name(&n, PV_X_FUNC, p->start);
  while (n.todo.n && !found) {
    struct named at = pv_vec_pop(&n.todo);
    if (at.kind == PV_X_FUNC) {
      found = look_at_function(&n, &p->functions.at[at.number]);
    } else if (at.kind == PV_X_GLOBAL) {
      const struct pv_global *g = &p->globals.at[at.number];
      for (uint32_t i = 0; i < g->relocs.n; i++) name_expr(&n, g->relocs.at[i].value);
    } else {
      look_into(&n, at.number);
    }
  }
  pv_vec_free(&n.todo);
  pv_map_free(&n.seen);
  return found;
}
