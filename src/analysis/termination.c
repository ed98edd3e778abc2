#include "analysis/termination.h"

#include "analysis/graph.h"
#include "analysis/loops_end.h"

#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

struct pv_termination {
  const struct pv_program *p;
  const struct pv_call_graph *calls;
  uint8_t *alternatives; /* by function: PV_MAY_* */
  uint8_t **endless;     /* by function and location; NULL: none */
};

static unsigned call_alternatives(const struct pv_termination *t, uint32_t function,
                                  uint32_t edge) {
  uint32_t n;
  const uint32_t *callees = pv_call_graph_callees(t->calls, function, edge, &n);
  uint32_t own = pv_call_graph_component(t->calls, function);
  unsigned alternatives = n ? 0 : PV_MAY_STOP; /* undefined, or no function */
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_function *f = &t->p->functions.at[callees[i]];
    alternatives |= t->alternatives[callees[i]];
    if (pv_call_graph_component(t->calls, callees[i]) == own) alternatives |= PV_MAY_STAY;
    if (f->atomic && pv_call_graph_has_threads(t->calls)) alternatives |= PV_MAY_STAY;
  }
  return alternatives;
}

unsigned pv_may_not_go_on(const struct pv_termination *t, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &t->p->functions.at[function].edges.at[edge];
  const struct pv_prim *prim;
  switch (e->op) {
  case PV_OP_STOP:
  case PV_OP_LONGJMP:
  case PV_OP_ERROR: return PV_MAY_STOP;
  case PV_OP_CALL: return call_alternatives(t, function, edge);
  case PV_OP_ATOMIC_BEGIN: return pv_call_graph_has_threads(t->calls) ? PV_MAY_STAY : 0;
  case PV_OP_PRIM:
    prim = t->p->prims.at[e->aux].prim;
    if (prim->role == PV_ROLE_EXITS) return PV_MAY_STOP;
    return prim->may_block ? PV_MAY_STAY : 0;
  default: return 0;
  }
}

static bool update(struct pv_termination *t, uint32_t function) {
  const struct pv_function *f = &t->p->functions.at[function];
  unsigned alternatives = t->alternatives[function];
  for (uint32_t i = 0; i < f->edges.n && alternatives != (PV_MAY_STOP | PV_MAY_STAY); i++)
    alternatives |= pv_may_not_go_on(t, function, i);
  bool changed = alternatives != t->alternatives[function];
  t->alternatives[function] = (uint8_t)alternatives;
  return changed;
}

static uint8_t *loop_heads(const struct pv_function *f) {
  uint8_t *heads = pv_alloc(f->locs.n + 1);
  for (pv_loc l = 0; l < f->locs.n; l++) heads[l] = f->locs.at[l].loop_head;
  return heads;
}

static void find_loops(struct pv_termination *t, uint32_t function, bool all_loops) {
  const struct pv_function *f = &t->p->functions.at[function];
  if (!pv_call_graph_runs(t->calls, function) || (f->is_model && !all_loops)) return;
  uint8_t *endless = all_loops ? loop_heads(f) : pv_endless_loops(t->p, f);
  if (memchr(endless, 1, f->locs.n)) {
    t->endless[function] = endless;
    t->alternatives[function] = PV_MAY_STAY;
  } else {
    free(endless);
  }
}

/* The functions by component: those of component c are in `order` from first[c] on. */
static struct pv_graph by_component(const struct pv_termination *t, uint32_t *count) {
  pv_arcs arcs = {0};
  *count = 0;
  for (uint32_t f = 0; f < t->p->functions.n; f++) {
    struct pv_arc arc = {pv_call_graph_component(t->calls, f), f};
    if (arc.from >= *count) *count = arc.from + 1;
    if (pv_call_graph_runs(t->calls, f)) pv_vec_push(&arcs, arc);
  }
  struct pv_graph g = pv_graph_new(*count, &arcs);
  pv_vec_free(&arcs);
  return g;
}

struct pv_termination *pv_termination_new(const struct pv_program *p,
                                          const struct pv_call_graph *calls, bool all_loops) {
  struct pv_termination *t = pv_alloc(sizeof *t);
  uint32_t count;
  t->p = p;
  t->calls = calls;
  t->alternatives = pv_alloc(p->functions.n + 1);
  t->endless = pv_alloc((p->functions.n + 1) * sizeof *t->endless);
  for (uint32_t f = 0; f < p->functions.n; f++) find_loops(t, f, all_loops);
  struct pv_graph order = by_component(t, &count);
  for (uint32_t c = 0; c < count; c++)
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t i = order.first[c]; i < order.first[c + 1]; i++)
        changed |= update(t, order.to[i]);
      changed &= order.first[c + 1] - order.first[c] > 1;
    }
  pv_graph_free(&order);
  return t;
}

void pv_termination_free(struct pv_termination *t) {
  if (!t) return;
  for (uint32_t f = 0; f < t->p->functions.n; f++) free(t->endless[f]);
  free(t->endless);
  free(t->alternatives);
  free(t);
}

unsigned pv_may_not_return(const struct pv_termination *t, uint32_t function) {
  return t->alternatives[function];
}

bool pv_may_go_round(const struct pv_termination *t, uint32_t function, pv_loc loc) {
  return t->endless[function] && t->endless[function][loc];
}

void pv_may_stay(const struct pv_termination *t, uint32_t function, unsigned reasons,
                 uint8_t *out) {
  const struct pv_function *f = &t->p->functions.at[function];
  for (pv_loc l = 0; l < f->locs.n; l++) out[l] = 0;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (pv_may_not_go_on(t, function, i) & reasons) out[f->edges.at[i].from] = 1;
  for (pv_loc l = 0; (reasons & PV_MAY_STAY) && l < f->locs.n; l++)
    out[l] |= pv_may_go_round(t, function, l);
}
