#include "analysis/places.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/effects.h"
#include "sched/sched.h"

enum { CUTS_MAX = 256 }; /* in one function; beyond it, all remaining back edges are cut */

struct pv_places {
  uint32_t **place; /* by function and location */
  uint32_t functions;
};

/* One function at a time. */
struct walk {
  const struct pv_function *f;
  const uint8_t *price; /* by edge: the price of a step back there; 0: no thread parks there */
  uint8_t *cut;         /* by edge */
  uint32_t *component;  /* by location: its strongly connected component, from 1; 0: not seen */
  uint32_t *low, *number, *stack, *next;
  PV_VEC(uint32_t) open; /* Tarjan's stack */
  uint32_t numbers, components;
  PV_VEC(uint32_t) done; /* locations in postorder */
};

/* ---- what it costs to go back at an edge ------------------------------------------------------
 */
static unsigned prim_price(const struct pv_prim *prim) {
  bool on_threads;
  unsigned effects = pv_prim_effects(prim->name, &on_threads);
  if (prim->class == PV_PRIM_LOCAL) return 0;
  if (effects & (PV_EFF_UNLOCK | PV_EFF_EXIT)) return 5;
  return effects & PV_EFF_JOIN ? 3 : 1;
}

static unsigned own_price(const struct pv_program *p, const struct pv_edge *e) {
  switch (e->op) {
  case PV_OP_PRIM: return prim_price(p->prims.at[e->aux].prim);
  case PV_OP_ATOMIC_BEGIN: return 1;
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
  case PV_OP_COPY:
  case PV_OP_FILL: return 2;
  case PV_OP_FREE:
  case PV_OP_LIVE:
  case PV_OP_DEAD: return 3;
  case PV_OP_ALLOC:
  case PV_OP_HAVOC:
  case PV_OP_INDET: return 4;
  default: return 0;
  }
}

/* The price of a call is that of the most expensive operation in it. Raised until nothing
 * changes. */
static bool raise_prices(const struct pv_program *p, uint8_t **price, uint8_t *total) {
  bool changed = false;
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++) {
      const struct pv_edge *e = &p->functions.at[i].edges.at[k];
      unsigned now = e->op != PV_OP_CALL       ? own_price(p, e)
                     : e->callee == PV_NO_FUNC ? 2
                                               : total[e->callee];
      price[i][k] = (uint8_t)now;
      if (now <= total[i]) continue;
      total[i] = (uint8_t)now;
      changed = true;
    }
  return changed;
}

/* ---- components: Tarjan, without recursion -----------------------------------------------------
 */
static void enter(struct walk *w, pv_loc loc, uint32_t *depth) {
  w->number[loc] = w->low[loc] = ++w->numbers;
  w->next[loc] = 0;
  pv_vec_push(&w->open, loc);
  w->stack[(*depth)++] = loc;
}

static void leave(struct walk *w, pv_loc loc) {
  pv_vec_push(&w->done, loc);
  if (w->low[loc] != w->number[loc]) return;
  uint32_t member;
  w->components++;
  do {
    member = pv_vec_pop(&w->open);
    w->component[member] = w->components;
  } while (member != loc);
}

static void walk_from(struct walk *w, pv_loc root) {
  uint32_t depth = 0;
  if (w->number[root]) return;
  enter(w, root, &depth);
  while (depth) {
    pv_loc loc = w->stack[depth - 1];
    const struct pv_location *at = &w->f->locs.at[loc];
    if (w->next[loc] == at->n_out) {
      leave(w, loc);
      depth--;
      if (depth && w->low[loc] < w->low[w->stack[depth - 1]])
        w->low[w->stack[depth - 1]] = w->low[loc];
      continue;
    }
    uint32_t edge = at->first_out + w->next[loc]++;
    pv_loc to = w->f->edges.at[edge].to;
    if (w->cut[edge]) continue;
    if (!w->number[to])
      enter(w, to, &depth);
    else if (!w->component[to] && w->number[to] < w->low[loc])
      w->low[loc] = w->number[to];
  }
}

static void find_components(struct walk *w) {
  uint32_t n = w->f->locs.n;
  memset(w->component, 0, n * sizeof *w->component);
  memset(w->number, 0, n * sizeof *w->number);
  w->numbers = w->components = w->open.n = w->done.n = 0;
  walk_from(w, w->f->entry);
  for (pv_loc loc = 0; loc < n; loc++) walk_from(w, loc);
}

/* Cuts the cheapest edge of each component. Returns false if there is no edge to cut. */
static bool cut_cheapest(struct walk *w) {
  uint32_t *best = pv_alloc((w->components + 1) * sizeof *best), cuts = 0;
  for (uint32_t i = 0; i < w->f->edges.n; i++) {
    const struct pv_edge *e = &w->f->edges.at[i];
    uint32_t c = w->component[e->from];
    if (w->cut[i] || !w->price[i] || c != w->component[e->to]) continue;
    if (!best[c] || w->price[i] < w->price[best[c] - 1]) best[c] = i + 1;
  }
  for (uint32_t c = 1; c <= w->components; c++)
    if (best[c]) w->cut[best[c] - 1] = 1, cuts++;
  free(best);
  return cuts;
}

static uint32_t *order(const struct pv_function *f, const uint8_t *price) {
  uint32_t n = f->locs.n;
  uint32_t *place = pv_alloc((n + 1) * sizeof *place);
  struct walk w = {.f = f, .price = price, .cut = pv_alloc(f->edges.n + 1)};
  uint32_t **tables[] = {&w.component, &w.low, &w.number, &w.stack, &w.next};
  for (unsigned i = 0; i < 5; i++) *tables[i] = pv_alloc((n + 1) * sizeof **tables[i]);
  unsigned rounds = 0;
  do find_components(&w);
  while (rounds++ < CUTS_MAX && cut_cheapest(&w));
  for (uint32_t i = 0; i < w.done.n; i++) place[w.done.at[i]] = w.done.n - i;
  for (unsigned i = 0; i < 5; i++) free(*tables[i]);
  free(w.cut);
  pv_vec_free(&w.open);
  pv_vec_free(&w.done);
  return place;
}

struct pv_places *pv_places_new(const struct pv_program *p) {
  struct pv_places *places = pv_alloc(sizeof *places);
  uint32_t n = places->functions = p->functions.n;
  uint8_t **price = pv_alloc((n + 1) * sizeof *price), *total = pv_alloc(n + 1);
  places->place = pv_alloc((n + 1) * sizeof *places->place);
  for (uint32_t i = 0; i < n; i++) price[i] = pv_alloc(p->functions.at[i].edges.n + 1);
  while (raise_prices(p, price, total)) continue;
  for (uint32_t i = 0; i < n; i++) {
    if (p->functions.at[i].defined) places->place[i] = order(&p->functions.at[i], price[i]);
    free(price[i]);
  }
  free(price);
  free(total);
  return places;
}

void pv_places_free(struct pv_places *p) {
  if (!p) return;
  for (uint32_t i = 0; i < p->functions; i++) free(p->place[i]);
  free(p->place);
  free(p);
}

uint32_t pv_place(const struct pv_places *p, uint32_t function, pv_loc loc) {
  return p->place[function][loc];
}
