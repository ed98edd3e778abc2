#include "cpa/control_internal.h"

#include <stdlib.h>

/* The moves of a location that decides nothing: its one edge. */
static const struct pv_edge *only_edge(const struct pv_function *f, pv_loc at) {
  const struct pv_location *l = &f->locs.at[at];
  return l->n_out == 1 ? &f->edges.at[l->first_out] : NULL;
}

/* After the call, is its result, which `var` has, only passed on until the function returns it?
 * PV_NO_VAR: there is no result. */
static bool only_returns(const struct pv_program *p, const struct pv_function *f, pv_loc at,
                         uint32_t var) {
  for (uint32_t steps = 0; steps < 8; steps++) {
    const struct pv_edge *e = only_edge(f, at);
    if (!e) return false;
    if (e->op == PV_OP_RETURN) {
      if (var == PV_NO_VAR) return !e->args.n;
      const struct pv_expr_node *n = e->args.n == 1 ? pv_node(p, pv_arg(p, e->args, 0)) : NULL;
      return n && n->op == PV_X_VAR && n->lo == var;
    }
    if (e->op == PV_OP_ASSIGN) {
      const struct pv_expr_node *n = pv_node(p, e->e[0]);
      bool passes = var != PV_NO_VAR && n->op == PV_X_VAR && n->lo == var;
      if (!passes && (n->op != PV_X_CONST || e->dst == var)) return false;
      if (passes) var = e->dst;
    } else if (e->op != PV_OP_SKIP)
      return false;
    at = e->to;
  }
  return false;
}

/* May a frame of the function be left while a call of it still runs? It owns no memory then. */
static bool owns_nothing(const struct pv_function *f) {
  if (f->slots.n || f->variadic) return false;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (e->op == PV_OP_SETJMP) return false;
    if (e->op == PV_OP_ALLOC && !pv_storage_on_heap(e->aux)) return false;
  }
  return true;
}

static void find_in(struct pv_control *c, uint32_t function) {
  const struct pv_function *f = &c->program->functions.at[function];
  if (!c->recursive[function] || !owns_nothing(f) || f->n_results > 1) return;
  c->tails[function] = pv_alloc((f->edges.n + 1) * sizeof *c->tails[function]);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (e->op != PV_OP_CALL || e->callee == PV_NO_FUNC || !c->recursive[e->callee]) continue;
    const struct pv_function *g = &c->program->functions.at[e->callee];
    if (g->variadic || g->n_results != f->n_results || e->dsts.n != f->n_results) continue;
    if (f->n_results && g->result[0] != f->result[0]) continue;
    uint32_t var = e->dsts.n ? pv_arg(c->program, e->dsts, 0) : PV_NO_VAR;
    if (f->n_results && var == PV_NO_VAR) continue;
    c->tails[function][i] = only_returns(c->program, f, e->to, var);
    c->rounds[e->callee] |= c->tails[function][i];
  }
}

void pv_control_find_tails(struct pv_control *c) {
  uint32_t n = c->program->functions.n;
  c->tails = pv_alloc((n + 1) * sizeof *c->tails);
  c->rounds = pv_alloc((n + 1) * sizeof *c->rounds);
  for (uint32_t f = 0; f < n; f++) find_in(c, f);
}

bool pv_control_is_tail(const struct pv_control *c, uint32_t frame, uint32_t edge) {
  const struct pv_frame *f = &c->frames.at[frame];
  return !c->threads && f->parent != PV_NO_FRAME && c->tails[f->function] &&
         c->tails[f->function][edge];
}

bool pv_control_is_round(const struct pv_control *c, struct pv_point at) {
  return !c->threads && c->rounds[c->frames.at[at.frame].function] && pv_control_is_entry(c, at);
}
