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

static void offer(struct search *s, uint32_t node, uint32_t distance) {
  pv_frontier_offer(&s->open, s->distance, node, distance);
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
  for (uint32_t i = 0; i < n; i++) offer(&s, errors[i], 0);
  run(&s, f->through, false);
}

static void find_creations(struct pv_fca *f) {
  const struct pv_dgraph *g = f->graph;
  struct search s = {.g = g};
  f->create = s.distance = pv_frontier_put_creations(&s.open, g, f->error);
  if (f->create) run(&s, f->through, true);
}

/* ---- sweeps ----------------------------------------------------------------------------------
 * Both distances, function by function, callees first: each node from the last to the first by its
 * edges, which mostly lead to higher numbers. Edges that do not are looked at again; where they
 * make something nearer the nodes below are done once more. */
struct sweep {
  const struct pv_dgraph *g;
  uint32_t *end, *error;
  uint32_t *through, *into; /* by list: least over the starts of its callees */
  PV_VEC(uint32_t) back;    /* nodes with an edge to a node that is no higher */
  PV_VEC(uint32_t) order;   /* functions, callees first */
  bool recurs;              /* some callee comes later than a caller, or with it */
};

/* The less of `known` and a way of `cost` to where it is `behind`. */
static inline uint32_t by_way(uint32_t known, uint32_t cost, uint32_t behind) {
  return behind >= known ? known : pv_distance_min(known, pv_distance_add(cost, behind));
}

enum { CHANGED = 1, LEADS_BACK = 2 };

/* Brings a node up to date with those that its edges lead to. Has it changed; does an edge lead to
 * a node that is no higher? */
static inline unsigned look(struct sweep *s, uint32_t node) {
  const struct pv_dgraph *g = s->g;
  const struct pv_dgraph_out *o = g->out + g->out_first[node],
                             *end_of = g->out + g->out_first[node + 1];
  uint32_t end = s->end[node], error = s->error[node];
  unsigned result = 0;
  for (; o < end_of; o++) {
    uint32_t cost = o->cost;
    if (o->to <= node) result = LEADS_BACK;
    if (o->list != PV_DISTANCE_NONE) {
      error = by_way(error, cost, s->into[o->list]);
      cost = pv_distance_add(pv_distance_add(cost, s->through[o->list]), g->leave);
    }
    end = by_way(end, cost, s->end[o->to]);
    error = by_way(error, cost, s->error[o->to]);
  }
  if (end != s->end[node] || error != s->error[node]) result |= CHANGED;
  s->end[node] = end;
  s->error[node] = error;
  return result;
}

/* How often nodes may be done again before the search by distance is the better way. */
enum { PATIENCE = 8 };

static bool sweep_function(struct sweep *s, uint32_t function) {
  const struct pv_dgraph *g = s->g;
  const struct pv_dgraph_function *f = &g->functions.at[function];
  s->back.n = 0;
  for (uint32_t node = f->first + f->n; node-- > f->first;)
    if (look(s, node) & LEADS_BACK) pv_vec_push(&s->back, node);
  for (unsigned rounds = 0; rounds < PATIENCE; rounds++) {
    uint32_t above = 0; /* the highest that changed, and one */
    for (uint32_t i = 0; i < s->back.n; i++)
      if (look(s, s->back.at[i]) & CHANGED && !above) above = s->back.at[i] + 1;
    if (!above) return true;
    for (uint32_t node = above; node-- > f->first;) look(s, node);
  }
  return false;
}

/* What the function's start says goes to the lists that it is in. */
static bool tell_lists(struct sweep *s, uint32_t function) {
  const struct pv_dgraph *g = s->g;
  uint32_t start = g->functions.at[function].start;
  bool changed = false;
  for (uint32_t u = g->user_first[function]; u < g->user_first[function + 1]; u++) {
    uint32_t list = g->user[u];
    changed = changed || s->end[start] < s->through[list] || s->error[start] < s->into[list];
    s->through[list] = pv_distance_min(s->through[list], s->end[start]);
    s->into[list] = pv_distance_min(s->into[list], s->error[start]);
  }
  return changed;
}

/* Depth first through the calls, each list once: the order in which functions are left. */
struct visit {
  uint32_t function, call, callee; /* the next one to look at */
};

static void find_order(struct sweep *s) {
  const struct pv_dgraph *g = s->g;
  enum { NEW, OPEN, DONE };
  uint8_t *state = pv_alloc(g->functions.n + 1);
  PV_VEC(struct visit) stack = {0};
  for (uint32_t f = 0; f < g->functions.n; f++) {
    struct visit root = {f, g->functions.at[f].first_call, 0};
    if (state[f] != NEW || !g->functions.at[f].n) continue;
    state[f] = OPEN;
    pv_vec_push(&stack, root);
    while (stack.n) {
      struct visit *v = &pv_vec_last(&stack);
      const struct pv_dgraph_function *at = &g->functions.at[v->function];
      if (v->call == at->first_call + at->n_calls) {
        state[v->function] = DONE;
        pv_vec_push(&s->order, v->function);
        stack.n--;
        continue;
      }
      const struct pv_dgraph_call *c = &g->calls.at[v->call];
      const struct pv_dgraph_list *l = &g->lists.at[c->list];
      if (c->creates || v->callee == l->n) {
        v->call++;
        v->callee = 0;
        continue;
      }
      uint32_t callee = g->callees.at[l->first + v->callee++];
      s->recurs = s->recurs || state[callee] == OPEN;
      if (state[callee] != NEW) continue;
      struct visit next = {callee, g->functions.at[callee].first_call, 0};
      state[callee] = OPEN;
      pv_vec_push(&stack, next);
    }
  }
  pv_vec_free(&stack);
  free(state);
}

/* False: it would take too many rounds. */
static bool sweep(struct pv_fca *f, const uint32_t *errors, uint32_t n) {
  const struct pv_dgraph *g = f->graph;
  struct sweep s = {.g = g, .end = f->end, .error = f->error, .through = f->through};
  bool changed = true, settled = true;
  s.into = pv_distances_none(g->lists.n);
  for (uint32_t i = 0; i < g->functions.n; i++)
    if (g->functions.at[i].n) f->end[g->functions.at[i].end] = 0;
  for (uint32_t i = 0; i < n; i++) f->error[errors[i]] = 0;
  find_order(&s);
  for (unsigned rounds = 0; changed && settled; rounds++) {
    changed = false;
    for (uint32_t i = 0; i < s.order.n && settled; i++) {
      settled = rounds < PATIENCE && sweep_function(&s, s.order.at[i]);
      changed = tell_lists(&s, s.order.at[i]) || changed;
    }
    changed = changed && s.recurs;
  }
  free(s.into);
  pv_vec_free(&s.back);
  pv_vec_free(&s.order);
  return settled;
}

/* All distances are infinite again. */
static void forget(struct pv_fca *f) {
  memset(f->end, 0xff, (size_t)f->graph->n * sizeof *f->end);
  memset(f->error, 0xff, (size_t)f->graph->n * sizeof *f->error);
  memset(f->through, 0xff, (size_t)f->graph->lists.n * sizeof *f->through);
}

struct pv_fca *pv_fca_new(const struct pv_dgraph *g, const uint32_t *errors, uint32_t n,
                          const struct pv_fca *same) {
  PV_REQUIRE(g->in_first && (!same || same->graph == g), "the graph is finished");
  struct pv_fca *f = pv_alloc(sizeof *f);
  f->graph = g;
  f->end = pv_distances_none(g->n);
  f->error = pv_distances_none(g->n);
  f->through = pv_distances_none(g->lists.n);
  for (uint32_t i = 0; i < n; i++) PV_REQUIRE(errors[i] < g->n, "errors are nodes of the graph");
  if (same) {
    memcpy(f->end, same->end, g->n * sizeof *f->end);
    memcpy(f->through, same->through, g->lists.n * sizeof *f->through);
    find_errors(f, errors, n);
  } else if (!sweep(f, errors, n)) {
    forget(f);
    find_ends(f);
    find_errors(f, errors, n);
  }
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
