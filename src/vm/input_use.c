/* input_use.c -- does the value of an input make a difference at all?
 *
 * Follows the variables that may depend on the input through all functions: assignments, arguments
 * and results of direct calls. The value makes no difference if nothing else reads them: a seed
 * that is never used, a time stamp that is only passed on. */
#include "vm/inputs_internal.h"

#include <stdlib.h>
#include <string.h>

struct variable {
  uint32_t function, var;
};
struct use {
  const struct pv_program *p;
  struct pv_map seen; /* struct variable */
  PV_VEC(struct variable) todo;
};

static void add(struct use *u, uint32_t function, uint32_t var) {
  struct variable v = {function, var};
  bool fresh;
  pv_map_put(&u->seen, &v, sizeof v, 0, &fresh);
  if (fresh) pv_vec_push(&u->todo, v);
}

static bool mentions(const struct pv_program *p, pv_expr e, uint32_t var) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_VAR) return n->lo == var;
  if (!pv_expr_ops[n->op].arity) return false;
  return mentions(p, n->a, var) || (n->b && mentions(p, n->b, var)) ||
         (n->c && mentions(p, n->c, var));
}

/* May the evaluation of e be undefined for some values of the variable? */
static bool may_fail(const struct pv_program *p, pv_expr e, uint32_t var) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (!pv_expr_ops[n->op].arity || !mentions(p, e, var)) return false;
  switch (n->op) {
  case PV_X_SDIV:
  case PV_X_UDIV:
  case PV_X_SREM:
  case PV_X_UREM:
  case PV_X_FPTOSI:
  case PV_X_FPTOUI: return true;
  case PV_X_SHL:
  case PV_X_LSHR:
  case PV_X_ASHR:
    if (mentions(p, n->b, var)) return true;
    break;
  case PV_X_SELECT: /* which operand is evaluated depends on it */
    if (mentions(p, n->a, var)) return true;
    break;
  default: break;
  }
  if (n->flags & (PV_XF_NSW | PV_XF_NUW | PV_XF_PTRCMP)) return true;
  return may_fail(p, n->a, var) || (n->b && may_fail(p, n->b, var)) ||
         (n->c && may_fail(p, n->c, var));
}

/* Is the function entered only by direct calls? */
static bool only_called(const struct pv_program *p, uint32_t function) {
  if (function == p->start) return false;
  for (uint32_t i = 1; i < p->exprs.n; i++)
    if (p->exprs.at[i].op == PV_X_FUNC && p->exprs.at[i].lo == function) return false;
  for (uint32_t i = 0; i < p->invariants.n; i++)
    if (p->invariants.at[i] == function) return false;
  return true;
}

/* Result k of the function depends on the input, and so do the variables that receive it. */
static bool returned(struct use *u, uint32_t function, uint32_t k) {
  if (!only_called(u->p, function)) return false;
  for (uint32_t f = 0; f < u->p->functions.n; f++) {
    const struct pv_function *g = &u->p->functions.at[f];
    for (uint32_t i = 0; i < g->edges.n; i++) {
      const struct pv_edge *e = &g->edges.at[i];
      if (e->op != PV_OP_CALL || e->callee != function || k >= e->dsts.n) continue;
      uint32_t dst = u->p->arg_pool.at[e->dsts.at + k];
      if (dst != PV_NO_VAR) add(u, f, dst);
    }
  }
  return true;
}

/* Follows the variable through an edge. Returns false if the edge uses its value otherwise. */
static bool passes(struct use *u, const struct pv_edge *e, struct variable v) {
  bool in_operand = false;
  for (int i = 0; i < 3; i++) in_operand |= e->e[i] && mentions(u->p, e->e[i], v.var);
  if (e->op == PV_OP_ASSIGN) {
    if (in_operand && may_fail(u->p, e->e[0], v.var)) return false;
    if (in_operand) add(u, v.function, e->dst);
    return true;
  }
  if (in_operand) return false;
  for (uint32_t i = 0; i < e->args.n; i++) {
    pv_expr a = pv_arg(u->p, e->args, i);
    if (!mentions(u->p, a, v.var)) continue;
    if (may_fail(u->p, a, v.var)) return false;
    if (e->op == PV_OP_RETURN) {
      if (!returned(u, v.function, i)) return false;
    } else if (e->op == PV_OP_CALL && e->callee != PV_NO_FUNC) {
      add(u, e->callee, i);
    } else {
      return false;
    }
  }
  return true;
}

bool pv_input_is_used(const struct pv_program *p, uint32_t function, uint32_t var) {
  struct use u = {.p = p};
  bool used = false;
  add(&u, function, var);
  while (u.todo.n && !used) {
    struct variable v = pv_vec_pop(&u.todo);
    const struct pv_function *f = &p->functions.at[v.function];
    for (uint32_t i = 0; i < f->edges.n && !used; i++) used = !passes(&u, &f->edges.at[i], v);
  }
  pv_map_free(&u.seen);
  pv_vec_free(&u.todo);
  return used;
}
