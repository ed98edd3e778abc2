#include "analysis/thread_effects.h"

#include <stdlib.h>

#include "analysis/effects.h"
#include "sched/sched.h"

struct pv_thread_effects {
  const struct pv_program *p;
  uint16_t **at;        /* by function and location */
  uint8_t *taken;       /* functions whose address is taken */
  uint16_t *total;      /* by function */
  uint16_t taken_total; /* the union over all functions whose address is taken */
};

static void take(struct pv_thread_effects *t, pv_expr e) {
  if (!e) return;
  const struct pv_expr_node *n = pv_node(t->p, e);
  if (n->op == PV_X_FUNC) t->taken[n->lo] = 1;
  if (!pv_expr_ops[n->op].arity) return;
  take(t, n->a);
  take(t, n->b);
  take(t, n->c);
}

static void find_taken(struct pv_thread_effects *t) {
  const struct pv_program *p = t->p;
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++) {
      const struct pv_edge *e = &p->functions.at[i].edges.at[k];
      for (unsigned x = 0; x < 3; x++) take(t, e->e[x]);
      for (uint32_t a = 0; a < e->args.n; a++) take(t, pv_arg(p, e->args, a));
    }
  for (uint32_t g = 0; g < p->globals.n; g++)
    for (uint32_t k = 0; k < p->globals.at[g].relocs.n; k++)
      take(t, p->globals.at[g].relocs.at[k].value);
}

static unsigned edge_effects(const struct pv_thread_effects *t, const struct pv_edge *e) {
  if (e->op == PV_OP_CALL) return e->callee == PV_NO_FUNC ? t->taken_total : t->total[e->callee];
  if (e->op != PV_OP_PRIM) return 0;
  bool on_threads;
  const struct pv_prim *prim = t->p->prims.at[e->aux].prim;
  const struct pv_sched *sched = pv_sched_of(t->p->sched);
  unsigned effects = pv_prim_effects(prim->name, &on_threads), names = 0;
  /* The result of pthread_self is a name, too, if it is used. */
  bool is_used = e->dst != PV_NO_VAR || prim->class != PV_PRIM_LOCAL;
  if (sched->names_threads && sched->names_threads(prim) && is_used) names = PV_EFF_NAMES;
  if (!on_threads) return names;
  effects |= names;
  return effects & PV_EFF_SPAWN ? effects | t->taken_total : effects;
}

/* Updates a function. Returns true if its effects changed. */
static bool update(struct pv_thread_effects *t, uint32_t index) {
  const struct pv_function *f = &t->p->functions.at[index];
  uint16_t *at = t->at[index];
  bool any = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = f->edges.n; i-- > 0;) {
      const struct pv_edge *e = &f->edges.at[i];
      unsigned now = at[e->from] | at[e->to] | edge_effects(t, e);
      changed |= now != at[e->from];
      at[e->from] = (uint16_t)now;
    }
    any |= changed;
  }
  if (f->defined) t->total[index] = at[f->entry];
  if (t->taken[index]) t->taken_total |= t->total[index];
  return any;
}

struct pv_thread_effects *pv_thread_effects_new(const struct pv_program *p) {
  struct pv_thread_effects *t = pv_alloc(sizeof *t);
  uint32_t n = p->functions.n;
  t->p = p;
  t->at = pv_alloc((n + 1) * sizeof *t->at);
  t->taken = pv_alloc(n + 1);
  t->total = pv_alloc((n + 1) * sizeof *t->total);
  for (uint32_t i = 0; i < n; i++)
    t->at[i] = pv_alloc((p->functions.at[i].locs.n + 1) * sizeof *t->at[i]);
  find_taken(t);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < n; i++) changed |= update(t, i);
  }
  return t;
}

void pv_thread_effects_free(struct pv_thread_effects *t) {
  if (!t) return;
  for (uint32_t i = 0; i < t->p->functions.n; i++) free(t->at[i]);
  free(t->at);
  free(t->taken);
  free(t->total);
  free(t);
}

unsigned pv_thread_effects_of(const struct pv_thread_effects *t, uint32_t function, pv_loc loc) {
  return t->at[function][loc];
}
