#include "distance/fca.h"

#include "distance/frontier.h"

#include <string.h>

/* A search backwards for one of the distances. */
struct search {
  const struct pv_dgraph *g;
  const uint32_t *through; /* NULL while it is this that is searched */
  uint32_t *distance;      /* by node */
  struct pv_frontier open;
};

static uint32_t *infinite(uint32_t n) {
  uint32_t *d = pv_alloc(((size_t)n + 1) * sizeof *d);
  memset(d, 0xff, ((size_t)n + 1) * sizeof *d);
  return d;
}

static void offer(struct search *s, uint32_t node, uint32_t distance) {
  if (distance >= s->distance[node]) return;
  s->distance[node] = distance;
  pv_frontier_put(&s->open, node, distance);
}

static void offer_edges(struct search *s, uint32_t node) {
  const struct pv_dgraph *g = s->g;
  for (uint32_t i = g->in_first[node]; i < g->in_first[node + 1]; i++)
    offer(s, g->in[i].from, pv_distance_add(s->open.at, g->in[i].cost));
}

/* A call that is passed: into a callee, through it, and back to where it is `behind` from there. */
static void pass(struct search *s, const struct pv_dgraph_call *c, uint32_t through,
                 uint32_t behind) {
  offer(s, c->from,
        pv_distance_add(pv_distance_add(c->cost, s->g->leave), pv_distance_add(through, behind)));
}

static void pass_back(struct search *s, const uint32_t *through, uint32_t node) {
  const struct pv_dgraph *g = s->g;
  for (uint32_t i = g->back_first[node]; i < g->back_first[node + 1]; i++) {
    const struct pv_dgraph_call *c = &g->calls.at[g->back[i]];
    pass(s, c, through[c->list], s->open.at);
  }
}

/* ---- ends ------------------------------------------------------------------------------------ */
/* The start of a function is settled: calls of it may be passed whose next node is settled, too. */
static void through_start(struct search *s, uint32_t *through, uint32_t function) {
  const struct pv_dgraph *g = s->g;
  for (uint32_t u = g->user_first[function]; u < g->user_first[function + 1]; u++) {
    uint32_t list = g->user[u];
    if (through[list] != PV_DISTANCE_NONE) continue; /* another callee is nearer to its end */
    through[list] = s->open.at;
    for (uint32_t i = g->made_first[list]; i < g->made_first[list + 1]; i++) {
      const struct pv_dgraph_call *c = &g->calls.at[g->made[i]];
      uint32_t behind = s->distance[c->to];
      if (!c->creates && behind <= s->open.at) pass(s, c, s->open.at, behind);
    }
  }
}

static void find_ends(struct pv_fca *f) {
  const struct pv_dgraph *g = f->graph;
  struct search s = {.g = g, .distance = f->end};
  uint32_t node;
  for (uint32_t i = 0; i < g->functions.n; i++)
    if (g->functions.at[i].n) offer(&s, g->functions.at[i].end, 0);
  while (pv_frontier_take(&s.open, &node)) {
    if (s.distance[node] != s.open.at) continue;
    offer_edges(&s, node);
    pass_back(&s, f->through, node);
    if (g->starts[node]) through_start(&s, f->through, g->starts[node] - 1);
  }
  pv_frontier_free(&s.open);
}

/* ---- errors ---------------------------------------------------------------------------------- */
/* Calls that lead to the function, and creations if asked for, lead to what its start leads to. */
static void into_start(struct search *s, uint8_t *seen, uint32_t function, bool creates) {
  const struct pv_dgraph *g = s->g;
  for (uint32_t u = g->user_first[function]; u < g->user_first[function + 1]; u++) {
    uint32_t list = g->user[u];
    if (seen[list]) continue;
    seen[list] = 1;
    for (uint32_t i = g->made_first[list]; i < g->made_first[list + 1]; i++) {
      const struct pv_dgraph_call *c = &g->calls.at[g->made[i]];
      if (!c->creates || creates) offer(s, c->from, pv_distance_add(c->cost, s->open.at));
    }
  }
}

static void run(struct search *s, const uint32_t *through, bool creates) {
  uint8_t *seen = pv_alloc(s->g->lists.n + 1);
  uint32_t node;
  while (pv_frontier_take(&s->open, &node)) {
    if (s->distance[node] != s->open.at) continue;
    offer_edges(s, node);
    pass_back(s, through, node);
    if (s->g->starts[node]) into_start(s, seen, s->g->starts[node] - 1, creates);
  }
  free(seen);
  pv_frontier_free(&s->open);
}

static void find_errors(struct pv_fca *f, const uint32_t *errors, uint32_t n) {
  struct search s = {.g = f->graph, .distance = f->error};
  for (uint32_t i = 0; i < n; i++) {
    PV_REQUIRE(errors[i] < f->graph->n, "errors are nodes of the graph");
    offer(&s, errors[i], 0);
  }
  run(&s, f->through, false);
}

static void find_creations(struct pv_fca *f) {
  const struct pv_dgraph *g = f->graph;
  struct search s = {.g = g};
  for (uint32_t i = 0; i < g->calls.n; i++) {
    const struct pv_dgraph_call *c = &g->calls.at[i];
    const struct pv_dgraph_list *l = &g->lists.at[c->list];
    for (uint32_t k = 0; c->creates && k < l->n; k++) {
      uint32_t error = f->error[g->functions.at[g->callees.at[l->first + k]].start];
      if (error == PV_DISTANCE_NONE) continue;
      if (!f->create) f->create = s.distance = infinite(g->n);
      offer(&s, c->from, pv_distance_add(error, c->cost));
    }
  }
  if (f->create) run(&s, f->through, true);
}

struct pv_fca *pv_fca_new(const struct pv_dgraph *g, const uint32_t *errors, uint32_t n,
                          const struct pv_fca *same) {
  PV_REQUIRE(g->in_first && (!same || same->graph == g), "the graph is finished");
  struct pv_fca *f = pv_alloc(sizeof *f);
  f->graph = g;
  f->end = infinite(g->n);
  f->error = infinite(g->n);
  f->through = infinite(g->lists.n);
  if (same) {
    memcpy(f->end, same->end, g->n * sizeof *f->end);
    memcpy(f->through, same->through, g->lists.n * sizeof *f->through);
  } else {
    find_ends(f);
  }
  find_errors(f, errors, n);
  find_creations(f);
  return f;
}

void pv_fca_free(struct pv_fca *f) {
  if (!f) return;
  free(f->end);
  free(f->error);
  free(f->create);
  free(f->through);
  free(f);
}

struct pv_estimate pv_fca_stack(const struct pv_fca *f, const struct pv_place_of *stack,
                                uint32_t n) {
  struct pv_estimate e = PV_ESTIMATE_NONE;
  while (n--)
    e = pv_estimate_above(pv_fca_at(f, stack[n].function, stack[n].loc), e, f->graph->leave);
  return e;
}
