#include "distance/program.h"

#include "distance/nesting.h"

#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

struct maker {
  const struct pv_program *p;
  const struct pv_points_to *pt;
  const struct pv_call_graph *calls;
  enum pv_cost cost;
  struct pv_nesting *atomic; /* NULL: not needed */
  bool first_ends;           /* the first thread may end before the program does */
  /* Sets of objects; seen: those that all threads can reach from the beginning. */
  uint64_t *set, *seen;
  struct pv_dgraph *g;
};

/* ---- certainly visible edges ----------------------------------------------------------------- */
static bool first_thread_ends(const struct maker *m) {
  for (uint32_t f = 0; f < m->p->functions.n; f++) {
    const struct pv_function *fn = &m->p->functions.at[f];
    if (!pv_call_graph_runs(m->calls, f) || !(pv_call_graph_threads(m->calls, f) & 1)) continue;
    for (uint32_t i = 0; i < fn->edges.n; i++) {
      const struct pv_edge *e = &fn->edges.at[i];
      if (e->op == PV_OP_PRIM && m->p->prims.at[e->aux].prim->role == PV_ROLE_EXITS) return true;
    }
  }
  return false;
}

static void find_seen(struct maker *m) {
  uint32_t words = pv_points_to_words(m->pt);
  m->set = pv_alloc(((size_t)words + 1) * sizeof *m->set);
  m->seen = pv_alloc(((size_t)words + 1) * sizeof *m->seen);
  for (uint32_t i = 0; i < m->p->globals.n; i++) {
    const struct pv_global *g = &m->p->globals.at[i];
    uint32_t n;
    const uint32_t *objects = pv_points_to_global(m->pt, i, &n);
    if (g->is_const || g->is_thread_local || g->is_external || !g->size) continue;
    for (uint32_t k = 0; k < n; k++) m->seen[objects[k] / 64] |= UINT64_C(1) << objects[k] % 64;
  }
  m->seen[0] &= ~UINT64_C(1); /* PV_PT_ANYTHING */
}

static bool is_seen(struct maker *m, uint32_t function, pv_expr address) {
  uint32_t words = pv_points_to_words(m->pt);
  uint64_t any = 0, others = 0;
  memset(m->set, 0, words * sizeof *m->set);
  if (pv_points_to_address(m->pt, function, address, m->set)) return false;
  for (uint32_t w = 0; w < words; w++) {
    any |= m->set[w];
    others |= m->set[w] & ~m->seen[w];
  }
  return any && !others;
}

static bool parks(struct maker *m, uint32_t function, const struct pv_edge *e) {
  uint64_t threads = pv_call_graph_threads(m->calls, function);
  if (m->first_ends || !threads || threads & 1) return false;
  switch (e->op) {
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: return is_seen(m, function, e->e[0]);
  case PV_OP_ATOMIC_BEGIN: return true;
  case PV_OP_PRIM: {
    const struct pv_prim *prim = m->p->prims.at[e->aux].prim;
    return prim->class != PV_PRIM_LOCAL && prim->role != PV_ROLE_JOINS &&
           prim->role != PV_ROLE_EXITS;
  }
  default: return false;
  }
}

static uint32_t cost_of(struct maker *m, uint32_t function, const struct pv_edge *e) {
  if (m->cost == PV_COST_EDGES) return 1;
  if (pv_nesting_at(m->atomic, function, e->from) != 1) return 0;
  return m->cost == PV_COST_INSTRUCTION || parks(m, function, e);
}

/* ---- the graph ------------------------------------------------------------------------------- */
static void add_edge(struct maker *m, uint32_t function, uint32_t index) {
  const struct pv_edge *e = &m->p->functions.at[function].edges.at[index];
  uint32_t cost = cost_of(m, function, e), n;
  const uint32_t *callees = pv_call_graph_callees(m->calls, function, index, &n);
  if (e->op == PV_OP_STOP) return;
  if (e->op == PV_OP_CALL)
    pv_dgraph_call(m->g, function, e->from, e->to, cost, callees, n);
  else if (n) /* see pv_call_graph_callees */
    pv_dgraph_create(m->g, function, e->from, e->to, cost, callees, n);
  else
    pv_dgraph_edge(m->g, function, e->from, e->to, cost);
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Callees have lower component numbers. Functions that only the first thread executes come last,
 * because they usually create the others. */
static void find_order(const struct maker *m) {
  struct pv_dgraph *g = m->g;
  uint64_t *keys = pv_alloc(((size_t)m->p->functions.n + 1) * sizeof *keys);
  g->order = pv_alloc(((size_t)m->p->functions.n + 1) * sizeof *g->order);
  for (uint32_t f = 0; f < m->p->functions.n; f++) {
    if (!pv_call_graph_runs(m->calls, f)) continue;
    bool first = pv_call_graph_threads(m->calls, f) == 1;
    uint64_t component = pv_call_graph_component(m->calls, f);
    keys[g->n_order++] = (uint64_t)first << 63 | component << 32 | f;
  }
  qsort(keys, g->n_order, sizeof *keys, by_number);
  for (uint32_t i = 0; i < g->n_order; i++) g->order[i] = (uint32_t)keys[i];
  free(keys);
}

struct pv_dgraph *pv_dgraph_of_program(const struct pv_program *p, const struct pv_points_to *pt,
                                       const struct pv_call_graph *calls, enum pv_cost cost) {
  struct maker m = {.p = p, .pt = pt, .calls = calls, .cost = cost, .g = pv_dgraph_new(0)};
  if (cost != PV_COST_EDGES) m.atomic = pv_nesting_new(p, calls, PV_NESTING_ATOMIC);
  if (cost == PV_COST_VISIBLE) {
    m.first_ends = first_thread_ends(&m);
    find_seen(&m);
  }
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const struct pv_function *fn = &p->functions.at[f];
    if (fn->defined)
      pv_dgraph_function(m.g, fn->locs.n, fn->entry, fn->exit);
    else
      pv_dgraph_function(m.g, 0, 0, 0);
  }
  m.g->root = p->start;
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; pv_call_graph_runs(calls, f) && i < p->functions.at[f].edges.n; i++)
      add_edge(&m, f, i);
  find_order(&m);
  pv_dgraph_finish(m.g);
  pv_nesting_free(m.atomic);
  free(m.set);
  free(m.seen);
  return m.g;
}
