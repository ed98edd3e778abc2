/* live_reduce.c -- partial-order reduction for temporal properties: persistent sets (reduce.h) that
 * no proposition can see.
 *
 * It keeps formulas that are invariant under stuttering, here those without `next` (Peled, "All
 * from one, one for all: on model checking using representatives", CAV 1993). The condition on
 * cycles is that of reduce.h: it does not depend on the order of the search, and each cycle has a
 * state in which all threads move. A transition that may write to a global that some proposition
 * reads is visible, whatever it writes: what it does not change here it may change after a step of
 * another thread. Fairness is not kept by the reduction, and threads change their places at any
 * step; so there is none for fair properties and for propositions on places. */
#include "explore/live_graph.h"

#include <stdlib.h>

/* Adds the globals that the expression refers to. false: it is no address of a global and a
 * constant offset. */
static bool add_globals(const struct pv_program *p, pv_expr e, uint8_t *watched) {
  const struct pv_expr_node *n = pv_node(p, e);
  switch (n->op) {
  case PV_X_CONST: return true;
  case PV_X_GLOBAL: watched[n->lo] = 1; return !p->globals.at[n->lo].is_thread_local;
  case PV_X_ADD:
  case PV_X_PTRADD: return add_globals(p, n->a, watched) && add_globals(p, n->b, watched);
  default: return false;
  }
}

/* Finds the globals that a proposition reads. false: it may read something else. */
static bool find_watched(const struct pv_program *p, uint32_t function, uint8_t *watched) {
  const struct pv_function *f = &p->functions.at[function];
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    bool plain = e->op == PV_OP_SKIP || e->op == PV_OP_ASSUME || e->op == PV_OP_ASSIGN ||
                 e->op == PV_OP_RETURN;
    bool load = e->op == PV_OP_LOAD && add_globals(p, e->e[0], watched);
    if (!plain && !load) return false;
  }
  return true;
}

bool pv_live_may_reduce(const struct pv_task *task, const struct pv_ltl_spec *spec) {
  for (uint32_t i = 0; i < spec->claim.n; i++) {
    const struct pv_claim *c = &spec->claim.at[i];
    bool asked = task->properties & PV_PROP_BIT(c->property);
    if (asked && (c->fair || pv_ltl_has_next(&spec->ltl, c->formula))) return false;
  }
  uint8_t *watched = pv_live_watched(task->program, task->options, spec);
  free(watched);
  return watched;
}

uint8_t *pv_live_watched(const struct pv_program *p, const struct pv_options *o,
                         const struct pv_ltl_spec *spec) {
  uint8_t *watched = pv_alloc(p->globals.n + 1);
  bool known = true;
  for (uint32_t i = 0; i < spec->proposition.n; i++)
    known &= spec->proposition.at[i].kind == PV_IS_EXPRESSION ||
             spec->proposition.at[i].kind == PV_IS_END;
  for (uint32_t i = o->invariant.n; i < p->invariants.n && known; i++)
    known = find_watched(p, p->invariants.at[i], watched);
  if (known) return watched;
  free(watched);
  return NULL;
}

/* May the pending operation, and what is local after it, change a proposition? */
static bool is_visible(const struct pv_live *g, const struct pv_pending *p) {
  uint32_t object, global;
  switch (p->kind) {
  case PV_PEND_LOCAL:
  case PV_PEND_INPUT:
  case PV_PEND_ALLOC:
  case PV_PEND_FREE:
  case PV_PEND_SCOPE: return false;
  case PV_PEND_ACCESS:
  case PV_PEND_PRIM:
    if (!p->write) return false;
    object = pv_vm_object(g->s->vm, p->address);
    global = object == UINT32_MAX ? UINT32_MAX : pv_vm_object_global(g->s->vm, object);
    return object == UINT32_MAX || (global != UINT32_MAX && g->watched[global]);
  default: return true;
  }
}

pv_threads pv_live_movers(struct pv_live *g) {
  struct pv_search *s = g->s;
  const struct pv_moves *m = &s->moves;
  bool one = !(m->able & (m->able - 1));
  if (!s->reduce || !g->watched || one || m->exclusive != PV_NO_THREAD) return m->able;
  pv_threads set = pv_reduce_set(s->reduce, m);
  PV_FOR_THREADS(t, set)
  if (is_visible(g, m->next[t])) return m->able;
  return set;
}
