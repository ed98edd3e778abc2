/* ranking_program.c -- what the program as a whole may do. */
#include "cpa/ranking_internal.h"

#include "sched/sched.h"

void pv_rank_give_up(struct prover *r, uint32_t span, const char *what) {
  if (r->out->why) return;
  const struct pv_span *at = pv_span_of(r->p, span);
  r->out->why =
      at->line ? pv_format("%s:%u: %s", pv_span_file(r->p, span), at->line, what) : pv_strdup(what);
}

bool pv_rank_reached(const struct prover *r, uint32_t function, pv_loc l) {
  return !r->intervals || pv_intervals_reach(r->intervals, function, l);
}

/* May an execution stay at the edge, or do something that is not modelled? */
static const char *obstacle(const struct prover *r, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &r->p->functions.at[function].edges.at[edge];
  uint32_t n;
  switch (e->op) {
  case PV_OP_PRIM: return r->p->prims.at[e->aux].prim->may_block ? "an operation may wait" : NULL;
  case PV_OP_STOP: return e->text ? "something is not modelled" : NULL;
  case PV_OP_SETJMP:
  case PV_OP_LONGJMP: return "the program jumps";
  case PV_OP_CALL:
    if (e->callee != PV_NO_FUNC && !r->p->functions.at[e->callee].defined)
      return "a function is not defined";
    pv_call_graph_callees(r->calls, function, edge, &n);
    return n || e->callee != PV_NO_FUNC ? NULL : "a call leads nowhere";
  default: return NULL;
  }
}

static bool stores(const struct pv_edge *e) {
  return e->op == PV_OP_STORE || e->op == PV_OP_COPY || e->op == PV_OP_FILL || e->op == PV_OP_RMW ||
         e->op == PV_OP_CMPXCHG || e->op == PV_OP_PRIM;
}

void pv_rank_summarise_functions(struct prover *r) {
  r->writes = pv_alloc((r->p->functions.n + 1) * sizeof *r->writes);
  r->comes_back = pv_alloc((r->p->functions.n + 1) * sizeof *r->comes_back);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t f = 0; f < r->p->functions.n; f++) {
      bool writes = r->writes[f], back = r->comes_back[f];
      for (uint32_t i = 0; i < r->p->functions.at[f].edges.n; i++) {
        uint32_t n;
        const uint32_t *callees = pv_call_graph_callees(r->calls, f, i, &n);
        writes |= stores(&r->p->functions.at[f].edges.at[i]);
        for (uint32_t k = 0; k < n; k++) {
          writes |= r->writes[callees[k]];
          back |= r->comes_back[callees[k]] || !r->p->functions.at[callees[k]].is_model;
        }
      }
      again |= writes != r->writes[f] || back != r->comes_back[f];
      r->writes[f] = writes;
      r->comes_back[f] = back;
    }
  }
}

/* Loops of models end, unless they call code of the program: handlers may add handlers. */
static bool may_go_on(const struct prover *r, uint32_t function) {
  const struct pv_function *f = &r->p->functions.at[function];
  bool any = false;
  for (pv_loc l = 0; l < f->locs.n && f->is_model && r->comes_back[function]; l++)
    any |= f->locs.at[l].loop_head && pv_rank_reached(r, function, l);
  return any;
}

bool pv_rank_check_program(struct prover *r) {
  if (pv_call_graph_has_threads(r->calls)) pv_rank_give_up(r, 0, "the program has threads");
  if (r->p->has_jumps || !pv_points_to_complete(r->pt))
    pv_rank_give_up(r, 0, "the program is too complex");
  for (uint32_t f = 0; f < r->p->functions.n && !r->out->why; f++) {
    const struct pv_function *x = &r->p->functions.at[f];
    if (!pv_call_graph_runs(r->calls, f)) continue;
    if (pv_call_graph_recurs(r->calls, f)) pv_rank_give_up(r, x->span, "a function is recursive");
    if (may_go_on(r, f)) pv_rank_give_up(r, x->span, "a loop of the library calls the program");
    for (uint32_t i = 0; i < x->edges.n && !r->out->why; i++) {
      const char *what = pv_rank_reached(r, f, x->edges.at[i].from) ? obstacle(r, f, i) : NULL;
      if (what) pv_rank_give_up(r, x->edges.at[i].span, what);
    }
  }
  return !r->out->why;
}

void pv_rank_index_variables(struct prover *r) {
  for (pv_expr e = 1; e < r->p->exprs.n; e++) {
    const struct pv_expr_node *n = pv_node(r->p, e);
    uint64_t key[2] = {n->type, n->lo};
    if (n->op == PV_X_VAR) pv_map_put(&r->var_expr, key, sizeof key, e, NULL);
  }
}
