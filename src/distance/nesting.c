#include "distance/nesting.h"

#include <stdlib.h>

#include "sched/sched.h"

/* 4 x 4 bits: bit 4 * a + b: from a open sections to b. */
typedef uint16_t relation;
enum { NUMBERS = 4, SAME = 1 | 1 << 5 | 1 << 10 | 1 << 15 };
static const relation one_more = 1 << 1 | 1 << 6 | 1 << 11 | 1 << 15;
static const relation one_less = 1 | 1 << 4 | 1 << 9 | 1 << 14 | 1 << 15;

static uint8_t after(uint8_t open, relation r) {
  uint8_t to = 0;
  for (unsigned a = 0; a < NUMBERS; a++)
    if (open >> a & 1) to |= r >> NUMBERS * a & 15;
  return to;
}

static relation then(relation r, relation s) {
  relation to = 0;
  for (unsigned a = 0; a < NUMBERS; a++)
    to |= (relation)(after(r >> NUMBERS * a & 15, s) << NUMBERS * a);
  return to;
}

struct state {
  const struct pv_program *p;
  const struct pv_call_graph *calls;
  enum pv_nesting_kind kind;
  const uint32_t *first;
  relation *at;    /* by location */
  uint8_t *queued; /* by location */
  uint8_t *entry;  /* by function: numbers of open sections at its calls */
  PV_VEC(pv_loc) todo;
};

static relation of_primitive(const struct pv_prim *prim) {
  if (prim->class != PV_PRIM_OBJECT || prim->acquire == prim->release) return SAME;
  if (prim->release) return one_less;
  return prim->may_block ? one_more : one_more | SAME;
}

/* The relation of a call: that of its callees from entry to exit. */
static relation of_call(const struct state *s, uint32_t function, uint32_t edge) {
  uint32_t n;
  const uint32_t *callees = pv_call_graph_callees(s->calls, function, edge, &n);
  relation r = n ? 0 : SAME;
  for (uint32_t i = 0; i < n; i++)
    r |= s->at[s->first[callees[i]] + s->p->functions.at[callees[i]].exit];
  return r;
}

static relation of_edge(const struct state *s, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &s->p->functions.at[function].edges.at[edge];
  switch (e->op) {
  case PV_OP_CALL: return of_call(s, function, edge);
  case PV_OP_LONGJMP:
  case PV_OP_STOP: return 0;
  case PV_OP_ATOMIC_BEGIN: return s->kind == PV_NESTING_ATOMIC ? one_more : SAME;
  case PV_OP_ATOMIC_END: return s->kind == PV_NESTING_ATOMIC ? one_less : SAME;
  case PV_OP_PRIM:
    return s->kind == PV_NESTING_LOCKS ? of_primitive(s->p->prims.at[e->aux].prim) : SAME;
  default: return SAME;
  }
}

/* Updates the function's relations from those of its callees. Returns whether that at the exit has
 * changed. */
static bool solve(struct state *s, uint32_t function) {
  const struct pv_function *f = &s->p->functions.at[function];
  relation *at = s->at + s->first[function], exit = at[f->exit];
  at[f->entry] |= SAME;
  for (pv_loc l = f->locs.n; l-- > 0;)
    if (at[l]) {
      pv_vec_push(&s->todo, l);
      s->queued[l] = 1;
    }
  while (s->todo.n) {
    pv_loc l = pv_vec_pop(&s->todo);
    const struct pv_location *loc = &f->locs.at[l];
    s->queued[l] = 0;
    for (uint32_t i = loc->first_out; i < loc->first_out + loc->n_out; i++) {
      pv_loc to = f->edges.at[i].to;
      relation r = at[to] | then(at[l], of_edge(s, function, i));
      if (r == at[to]) continue;
      at[to] = r;
      if (!s->queued[to]) pv_vec_push(&s->todo, to);
      s->queued[to] = 1;
    }
  }
  return at[f->exit] != exit;
}

/* Callees first; for recursive calls, until nothing changes. */
static void find_relations(struct state *s) {
  const struct pv_program *p = s->p;
  PV_VEC(uint32_t) order = {0};
  uint32_t most = 0;
  for (uint32_t f = 0; f < p->functions.n; f++)
    if (pv_call_graph_component(s->calls, f) > most) most = pv_call_graph_component(s->calls, f);
  uint32_t *at = pv_alloc((size_t)(most + 2) * sizeof *at);
  for (uint32_t f = 0; f < p->functions.n; f++) at[pv_call_graph_component(s->calls, f) + 1]++;
  for (uint32_t c = 0; c <= most; c++) at[c + 1] += at[c];
  for (uint32_t f = 0; f < p->functions.n; f++) pv_vec_push(&order, f);
  for (uint32_t f = 0; f < p->functions.n; f++)
    order.at[at[pv_call_graph_component(s->calls, f)]++] = f;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < order.n; i++) {
      uint32_t f = order.at[i];
      if (pv_call_graph_runs(s->calls, f) && solve(s, f))
        changed = changed || pv_call_graph_recurs(s->calls, f);
    }
  }
  pv_vec_free(&order);
  free(at);
}

/* Adds the numbers with which callees may be called. Returns whether something has changed. */
static bool bring(struct state *s, uint32_t function) {
  const struct pv_function *f = &s->p->functions.at[function];
  const relation *at = s->at + s->first[function];
  bool changed = false;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    uint32_t n;
    const uint32_t *callees = pv_call_graph_callees(s->calls, function, i, &n);
    uint8_t open = e->op == PV_OP_CALL ? after(s->entry[function], at[e->from]) : 1;
    for (uint32_t k = 0; k < n; k++) {
      changed = changed || (open & ~s->entry[callees[k]]);
      s->entry[callees[k]] |= open;
    }
  }
  return changed;
}

struct pv_nesting *pv_nesting_new(const struct pv_program *p, const struct pv_call_graph *calls,
                                  enum pv_nesting_kind kind) {
  struct pv_nesting *n = pv_alloc(sizeof *n);
  struct state s = {.p = p, .calls = calls, .kind = kind};
  uint32_t locations = 0, most = 0;
  n->first = pv_alloc(((size_t)p->functions.n + 1) * sizeof *n->first);
  for (uint32_t f = 0; f < p->functions.n; f++) {
    n->first[f] = locations;
    locations += p->functions.at[f].locs.n;
    if (p->functions.at[f].locs.n > most) most = p->functions.at[f].locs.n;
  }
  s.first = n->first;
  s.at = pv_alloc(((size_t)locations + 1) * sizeof *s.at);
  s.queued = pv_alloc((size_t)most + 1);
  s.entry = pv_alloc((size_t)p->functions.n + 1);
  find_relations(&s);
  s.entry[p->start] = 1;
  for (uint32_t i = 0; i < p->invariants.n; i++) s.entry[p->invariants.at[i]] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t f = 0; f < p->functions.n; f++)
      if (s.entry[f]) changed = bring(&s, f) || changed;
  }
  n->open = pv_alloc((size_t)locations + 1);
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (pv_loc l = 0; l < p->functions.at[f].locs.n; l++)
      n->open[n->first[f] + l] = after(s.entry[f], s.at[n->first[f] + l]);
  free(s.at);
  free(s.queued);
  free(s.entry);
  pv_vec_free(&s.todo);
  return n;
}

void pv_nesting_free(struct pv_nesting *n) {
  if (!n) return;
  free(n->first);
  free(n->open);
  free(n);
}
