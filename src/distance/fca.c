#include "distance/fca.h"

#include "distance/frontier.h"

#include <string.h>

/* ---- a backward search, in order of distance, for one of the distances ----------------------- */
struct search {
  const struct pv_dgraph *g;
  uint32_t *distance; /* by node */
  struct pv_frontier open;
};

static void offer(struct search *s, uint32_t node, uint32_t distance) {
  pv_frontier_offer(&s->open, s->distance, node, distance);
}

static void offer_edges(struct search *s, uint32_t node) {
  const struct pv_dgraph *g = s->g;
  for (uint32_t i = g->in_first[node]; i < g->in_first[node + 1]; i++)
    offer(s, g->in[i].from, pv_distance_add(s->open.at, g->in[i].cost));
}

/* A call that is passed: the distance before it follows from that `behind` it and through the
 * callee. */
static void pass(struct search *s, const struct pv_dgraph_edge *c, uint32_t through,
                 uint32_t behind) {
  offer(s, c->from,
        pv_distance_add(pv_distance_add(c->cost, s->g->leave), pv_distance_add(through, behind)));
}

static void pass_back(struct search *s, const uint32_t *through, uint32_t node) {
  const struct pv_dgraph *g = s->g;
  for (uint32_t i = g->back_first[node]; i < g->back_first[node + 1]; i++) {
    const struct pv_dgraph_edge *c = &g->calls.at[g->back[i]];
    pass(s, c, through[c->list], s->open.at);
  }
}

/* The distance of a function's start is final: calls of it can be passed if the node after them is
 * final, too. */
static void through_start(struct search *s, uint32_t *through, uint32_t function) {
  const struct pv_dgraph *g = s->g;
  for (uint32_t u = g->user_first[function]; u < g->user_first[function + 1]; u++) {
    uint32_t list = g->user[u];
    if (through[list] != PV_DISTANCE_NONE) continue; /* the end of another callee is nearer */
    through[list] = s->open.at;
    for (uint32_t i = g->made_first[list]; i < g->made_first[list + 1]; i++) {
      const struct pv_dgraph_edge *c = &g->calls.at[g->made[i]];
      uint32_t behind = s->distance[c->to];
      if (!c->creates && behind <= s->open.at) pass(s, c, s->open.at, behind);
    }
  }
}

static uint32_t *find_ends(const struct pv_dgraph *g, uint32_t *through) {
  struct search s = {.g = g, .distance = pv_distances_none(g->n)};
  uint32_t node;
  for (uint32_t i = 0; i < g->n_order; i++) offer(&s, g->functions.at[g->order[i]].end, 0);
  while (pv_frontier_take(&s.open, &node)) {
    if (s.distance[node] != s.open.at) continue;
    offer_edges(&s, node);
    pass_back(&s, through, node);
    if (g->starts[node]) through_start(&s, through, g->starts[node] - 1);
  }
  pv_frontier_free(&s.open);
  return s.distance;
}

/* Calls of the function, and creations if requested, lead to what its start leads to. */
static void into_start(struct search *s, uint8_t *seen, uint32_t function, bool creates) {
  const struct pv_dgraph *g = s->g;
  for (uint32_t u = g->user_first[function]; u < g->user_first[function + 1]; u++) {
    uint32_t list = g->user[u];
    if (seen[list]) continue;
    seen[list] = 1;
    for (uint32_t i = g->made_first[list]; i < g->made_first[list + 1]; i++) {
      const struct pv_dgraph_edge *c = &g->calls.at[g->made[i]];
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

static void search(struct pv_fca *f, struct pv_dgraph *g, const uint32_t *errors, uint32_t n) {
  pv_dgraph_backwards(g);
  uint32_t *through = pv_distances_none(g->lists.n), *end = find_ends(g, through);
  struct search s = {.g = g, .distance = pv_distances_none(g->n)};
  uint32_t *error = s.distance;
  for (uint32_t i = 0; i < n; i++) offer(&s, errors[i], 0);
  run(&s, through, false);
  s = (struct search){.g = g};
  uint32_t *create = s.distance = pv_frontier_put_creations(&s.open, g, error);
  if (create) run(&s, through, true);
  for (uint32_t i = 0; i < g->n; i++)
    f->at[i] = (struct pv_distance){end[i], error[i], create ? create[i] : PV_DISTANCE_NONE};
  f->creates = create;
  free(through);
  free(end);
  free(error);
  free(create);
}

/* ---- sweeps ----------------------------------------------------------------------------------
 * Computes all distances, function by function, callees first: each node from the last to the first
 * by its edges, most of which lead to higher numbers. Other edges are checked again; if they
 * decrease a distance, the nodes below are processed once more. Calls of functions that come later,
 * as in recursion, take further rounds. */
struct start {              /* by list */
  struct pv_distance least; /* minimum over the starts of its callees */
  uint32_t seen;            /* a caller has used it in this round */
};
struct sweep {
  const struct pv_dgraph *g;
  struct pv_distance *at; /* by node */
  struct start *starts;
  PV_VEC(uint32_t) back; /* nodes with an edge to a node with the same or a lower number */
  bool creates, again;
};

/* The minimum of `known` and of a path with `cost`, which is not NONE, to a place with distance
 * `behind`. Branch-free, because branches would be unpredictable. */
static inline uint32_t by_alternative(uint32_t known, uint32_t cost, uint32_t behind) {
  uint64_t alternative = (uint64_t)cost + behind, most = PV_DISTANCE_MOST;
  most += behind == PV_DISTANCE_NONE;
  if (alternative > most) alternative = most;
  return alternative < known ? (uint32_t)alternative : known;
}

/* Uses the starts of the callees of a call or creation. Returns the cost of continuing after it:
 * NONE for a call that does not return, and for a creation, after which another edge continues. */
static uint32_t into_callees(struct sweep *s, const struct pv_dgraph_edge *o,
                             struct pv_distance *d) {
  const struct pv_distance *in = &s->starts[o->list].least;
  s->starts[o->list].seen = true;
  d->create = by_alternative(d->create, o->cost, in->create);
  if (o->creates) {
    d->create = by_alternative(d->create, o->cost, in->error);
    s->creates |= in->error != PV_DISTANCE_NONE;
    return PV_DISTANCE_NONE;
  }
  d->error = by_alternative(d->error, o->cost, in->error);
  return pv_distance_add(pv_distance_add(o->cost, in->end), s->g->leave);
}

enum { CHANGED = 1, LEADS_BACK = 2 };

/* Updates a node from the targets of its edges. Returns whether it has changed, and whether an edge
 * leads to a node that is not higher. */
static unsigned look(struct sweep *s, uint32_t node) {
  const struct pv_dgraph *g = s->g;
  const struct pv_dgraph_edge *o = g->edges.at + g->out_first[node],
                              *end_of = g->edges.at + g->out_first[node + 1];
  struct pv_distance d = s->at[node], was = d;
  unsigned result = 0;
  for (; o < end_of; o++) {
    const struct pv_distance *to = &s->at[o->to];
    uint32_t cost = o->cost;
    if (o->to <= node) result = LEADS_BACK;
    if (o->list != PV_DISTANCE_NONE) {
      struct pv_distance by_call = d;
      cost = into_callees(s, o, &by_call);
      d = by_call;
      if (cost == PV_DISTANCE_NONE) continue;
    }
    d.end = by_alternative(d.end, cost, to->end);
    d.error = by_alternative(d.error, cost, to->error);
    d.create = by_alternative(d.create, cost, to->create);
  }
  if (d.end != was.end || d.error != was.error || d.create != was.create) {
    s->at[node] = d;
    result |= CHANGED;
  }
  return result;
}

/* How often nodes may be processed again before the search by distance is cheaper. */
enum { MAX_SWEEPS = 8 };

/* look(), with a fast case for a node with a single edge to a higher one, which is frequent. */
static inline unsigned look_shortly(struct sweep *s, uint32_t node) {
  uint32_t first = s->g->out_first[node];
  const struct pv_dgraph_edge *o = &s->g->edges.at[first];
  if (s->g->out_first[node + 1] != first + 1 || o->list != PV_DISTANCE_NONE || o->to <= node)
    return look(s, node);
  struct pv_distance *d = &s->at[node];
  const struct pv_distance *to = &s->at[o->to];
  d->end = by_alternative(d->end, o->cost, to->end);
  d->error = by_alternative(d->error, o->cost, to->error);
  d->create = by_alternative(d->create, o->cost, to->create);
  return 0;
}

static bool sweep_function(struct sweep *s, uint32_t function) {
  const struct pv_dgraph *g = s->g;
  const struct pv_dgraph_function *f = &g->functions.at[function];
  s->back.n = 0;
  for (uint32_t node = f->first + f->n; node-- > f->first;)
    if (look_shortly(s, node) & LEADS_BACK) pv_vec_push(&s->back, node);
  for (unsigned rounds = 0; rounds < MAX_SWEEPS; rounds++) {
    uint32_t above = 0; /* 1 + the highest one that changed */
    for (uint32_t i = 0; i < s->back.n; i++)
      if (look(s, s->back.at[i]) & CHANGED && !above) above = s->back.at[i] + 1;
    if (!above) return true;
    for (uint32_t node = above; node-- > f->first;) look_shortly(s, node);
  }
  return false;
}

static bool lower(uint32_t *known, uint32_t found) {
  if (found >= *known) return false;
  *known = found;
  return true;
}

/* Updates the lists that contain the function from its start. */
static void tell_lists(struct sweep *s, uint32_t function) {
  const struct pv_dgraph *g = s->g;
  const struct pv_distance *d = &s->at[g->functions.at[function].start];
  for (uint32_t u = g->user_first[function]; u < g->user_first[function + 1]; u++) {
    struct start *x = &s->starts[g->user[u]];
    bool changed = lower(&x->least.end, d->end) | lower(&x->least.error, d->error) |
                   lower(&x->least.create, d->create);
    s->again |= changed && x->seen;
  }
}

/* Returns false if some function would take too many rounds. */
static bool sweep_all(struct sweep *s) {
  const struct pv_dgraph *g = s->g;
  s->again = false;
  for (uint32_t i = 0; i < g->lists.n; i++) s->starts[i].seen = false;
  for (uint32_t i = 0; i < g->n_order; i++) {
    if (!sweep_function(s, g->order[i])) return false;
    tell_lists(s, g->order[i]);
  }
  return true;
}

/* Returns false if it would take too many rounds. */
static bool sweep(struct pv_fca *f, struct pv_dgraph *g, const uint32_t *errors, uint32_t n) {
  struct sweep s = {.g = g, .at = f->at};
  s.starts = pv_alloc(((size_t)g->lists.n + 1) * sizeof *s.starts);
  memset(s.starts, 0xff, g->lists.n * sizeof *s.starts); /* PV_DISTANCE_NONE */
  for (uint32_t i = 0; i < g->n_order; i++) f->at[g->functions.at[g->order[i]].end].end = 0;
  for (uint32_t i = 0; i < n; i++) {
    PV_REQUIRE(errors[i] < g->n, "errors are nodes of the graph");
    f->at[errors[i]].error = 0;
  }
  bool settled = sweep_all(&s);
  for (unsigned rounds = 1; settled && s.again; rounds++)
    settled = rounds < MAX_SWEEPS && sweep_all(&s);
  f->creates = s.creates;
  free(s.starts);
  pv_vec_free(&s.back);
  return settled;
}

/* ---- the module as a whole ------------------------------------------------------------------- */
struct pv_fca *pv_fca_new(struct pv_dgraph *g, const uint32_t *errors, uint32_t n) {
  PV_REQUIRE(g->out_first, "the graph is finished");
  struct pv_fca *f = pv_alloc(sizeof *f);
  f->graph = g;
  f->at = pv_alloc(((size_t)g->n + 1) * sizeof *f->at);
  memset(f->at, 0xff, g->n * sizeof *f->at); /* PV_DISTANCE_NONE */
  if (!sweep(f, g, errors, n)) search(f, g, errors, n);
  return f;
}

void pv_fca_free(struct pv_fca *f) {
  if (!f) return;
  free(f->at);
  free(f);
}

struct pv_estimate pv_fca_stack(const struct pv_fca *f, const struct pv_place_of *stack,
                                uint32_t n) {
  struct pv_estimate e = PV_ESTIMATE_NONE;
  while (n--)
    e = pv_estimate_above(pv_fca_at(f, stack[n].function, stack[n].loc), e, f->graph->leave);
  return e;
}
