#include "distance/efsm.h"

#include "analysis/graph.h"
#include "distance/frontier.h"

#include <string.h>

enum { LOOK = 1 << 16 }; /* nodes visited between two checks of the limits: some milliseconds */

/* A function in a calling context. */
struct instance {
  /* first: its first node in the bounded graph; it has as many nodes as the function. */
  uint32_t function, first;
  uint32_t first_target;          /* the instances that its calls lead to, by call and callee */
  uint32_t context, length;       /* slice of `contexts`: return nodes, innermost first */
  uint32_t *end, *error, *create; /* by location; NULL: not computed yet */
};
struct caller {
  uint32_t instance, call;
};

struct pv_efsm {
  const struct pv_dgraph *g;
  unsigned k;
  uint32_t most, n;
  PV_VEC(struct instance) instances;
  struct pv_map by_context;
  PV_VEC(uint32_t) contexts, targets;
  uint32_t *offset; /* by call: index of its first target among those of the instance */
  uint32_t *of;     /* by node of the bounded graph: its instance */
  uint32_t *caller_first;
  struct caller *callers;  /* by instance */
  uint8_t *recurs;         /* by function: may it be active twice on one stack? */
  uint8_t *is_error;       /* by node of the graph */
  PV_VEC(uint32_t) errors; /* nodes of the bounded graph */
  bool creates;
  /* By instance in which threads start: the smallest distance from its start, or NULL. */
  uint32_t *thread;
  /* the current search */
  uint32_t *distance;
  PV_VEC(uint32_t) touched;
  struct pv_frontier open;
  uint64_t work; /* nodes visited since the limits were checked */
};

/* ---- the bounded graph ----------------------------------------------------------------------- */
/* The instance of the function in the context key[2] .. key[1 + length], created if it is new.
 * NONE: it does not exist (or there is no room for it). */
static uint32_t instance(struct pv_efsm *e, const uint32_t *key, bool make) {
  uint32_t length = key[1];
  size_t bytes = (2 + (size_t)length) * sizeof *key;
  if (!make) {
    const uint32_t *at = pv_map_get(&e->by_context, key, bytes);
    return at ? *at : PV_DISTANCE_NONE;
  }
  bool is_new;
  uint32_t at = *pv_map_put(&e->by_context, key, bytes, e->instances.n, &is_new);
  if (!is_new) return at;
  struct instance i = {.function = key[0], .first = e->n, .context = e->contexts.n};
  i.length = length;
  for (uint32_t k = 0; k < length; k++) pv_vec_push(&e->contexts, key[2 + k]);
  e->n += e->g->functions.at[key[0]].n;
  pv_vec_push(&e->instances, i);
  return at;
}

/* The targets of a call of instance `at`. */
static void add_targets(struct pv_efsm *e, uint32_t at, const struct pv_dgraph_edge *c,
                        uint32_t *key) {
  const struct pv_dgraph_list *l = &e->g->lists.at[c->list];
  struct instance from = e->instances.at[at];
  key[1] = 0;
  if (!c->creates && e->k) {
    key[1] = from.length < e->k ? from.length + 1 : e->k;
    key[2] = c->to;
    for (uint32_t i = 1; i < key[1]; i++) key[2 + i] = e->contexts.at[from.context + i - 1];
  }
  for (uint32_t i = 0; i < l->n; i++) {
    key[0] = e->g->callees.at[l->first + i];
    uint32_t to = instance(e, key, true);
    pv_vec_push(&e->targets, to);
  }
}

static bool unroll(struct pv_efsm *e, struct pv_limits *limits) {
  const struct pv_dgraph *g = e->g;
  uint32_t *key = pv_alloc((e->k + 2) * sizeof *key);
  key[0] = g->root;
  instance(e, key, true);
  bool fits = e->n <= e->most;
  for (uint32_t i = 0; i < e->instances.n && fits; i++) {
    const struct pv_dgraph_function *f = &g->functions.at[e->instances.at[i].function];
    e->instances.at[i].first_target = e->targets.n;
    for (uint32_t c = f->first_call; c < f->first_call + f->n_calls && fits; c++) {
      add_targets(e, i, &g->calls.at[c], key);
      fits = e->n <= e->most && e->targets.n <= e->most;
    }
    e->work += 1 + f->n_calls;
    if (!limits || e->work < LOOK) continue;
    e->work = 0;
    fits = fits && pv_limits_check_now(limits) == PV_LIMIT_NONE;
  }
  free(key);
  return fits;
}

static void index_callers(struct pv_efsm *e) {
  const struct pv_dgraph *g = e->g;
  uint32_t n = e->instances.n;
  e->caller_first = pv_alloc(((size_t)n + 2) * sizeof *e->caller_first);
  e->callers = pv_alloc(((size_t)e->targets.n + 1) * sizeof *e->callers);
  for (uint32_t t = 0; t < e->targets.n; t++) e->caller_first[e->targets.at[t] + 1]++;
  for (uint32_t i = 0; i < n; i++) e->caller_first[i + 1] += e->caller_first[i];
  uint32_t *at = pv_alloc(((size_t)n + 1) * sizeof *at);
  memcpy(at, e->caller_first, (size_t)n * sizeof *at);
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_dgraph_function *f = &g->functions.at[e->instances.at[i].function];
    uint32_t t = e->instances.at[i].first_target;
    for (uint32_t c = f->first_call; c < f->first_call + f->n_calls; c++)
      for (uint32_t k = 0; k < g->lists.at[g->calls.at[c].list].n; k++)
        e->callers[at[e->targets.at[t++]]++] = (struct caller){i, c};
  }
  free(at);
}

static void index_nodes(struct pv_efsm *e) {
  e->of = pv_alloc(((size_t)e->n + 1) * sizeof *e->of);
  for (uint32_t i = 0; i < e->instances.n; i++) {
    const struct instance *x = &e->instances.at[i];
    const struct pv_dgraph_function *f = &e->g->functions.at[x->function];
    for (uint32_t l = 0; l < f->n; l++) {
      e->of[x->first + l] = i;
      if (e->is_error[f->first + l]) pv_vec_push(&e->errors, x->first + l);
    }
  }
  e->distance = pv_alloc(((size_t)e->n + 1) * sizeof *e->distance);
  memset(e->distance, 0xff, ((size_t)e->n + 1) * sizeof *e->distance);
}

/* Finds recursive functions. As in call_graph.c, a list of callees has a node of its own. */
static void find_recursion(struct pv_efsm *e) {
  const struct pv_dgraph *g = e->g;
  uint32_t n = g->functions.n, count, f = 0;
  pv_arcs arcs = {0};
  for (uint32_t i = 0; i < g->calls.n; i++) {
    const struct pv_dgraph_edge *c = &g->calls.at[i];
    while (c->from >= g->functions.at[f].first + g->functions.at[f].n) f++;
    struct pv_arc arc = {f, n + c->list};
    e->creates |= c->creates;
    if (!c->creates) pv_vec_push(&arcs, arc);
  }
  for (uint32_t l = 0; l < g->lists.n; l++)
    for (uint32_t i = 0; i < g->lists.at[l].n; i++) {
      struct pv_arc arc = {n + l, g->callees.at[g->lists.at[l].first + i]};
      pv_vec_push(&arcs, arc);
    }
  struct pv_graph calls = pv_graph_new(n + g->lists.n, &arcs);
  uint32_t *component = pv_components(&calls, &count);
  uint32_t *size = pv_alloc((count + 1) * sizeof *size);
  for (uint32_t v = 0; v < calls.n; v++) size[component[v]]++;
  e->recurs = pv_alloc(n + 1);
  for (uint32_t i = 0; i < n; i++) e->recurs[i] = size[component[i]] > 1;
  free(size);
  free(component);
  pv_graph_free(&calls);
  pv_vec_free(&arcs);
}

enum pv_status pv_efsm_new(struct pv_dgraph *g, const uint32_t *errors, uint32_t n, unsigned k,
                           uint32_t most, struct pv_limits *limits, struct pv_efsm **out) {
  PV_REQUIRE(g->root < g->functions.n, "the graph has a root");
  pv_dgraph_backwards(g);
  struct pv_efsm *e = pv_alloc(sizeof *e);
  *e = (struct pv_efsm){.g = g, .k = k, .most = most};
  *out = e;
  e->offset = pv_alloc(((size_t)g->calls.n + 1) * sizeof *e->offset);
  for (uint32_t f = 0; f < g->functions.n; f++) {
    uint32_t at = 0, first = g->functions.at[f].first_call;
    for (uint32_t c = first; c < first + g->functions.at[f].n_calls; c++) {
      e->offset[c] = at;
      at += g->lists.at[g->calls.at[c].list].n;
    }
  }
  if (!unroll(e, limits)) {
    pv_efsm_free(e);
    *out = NULL;
    return PV_E_LIMIT;
  }
  e->is_error = pv_alloc((size_t)g->n + 1);
  for (uint32_t i = 0; i < n; i++) e->is_error[errors[i]] = 1;
  find_recursion(e);
  index_callers(e);
  index_nodes(e);
  return PV_OK;
}

void pv_efsm_free(struct pv_efsm *e) {
  if (!e) return;
  for (uint32_t i = 0; i < e->instances.n; i++) {
    free(e->instances.at[i].end);
    free(e->instances.at[i].error);
    free(e->instances.at[i].create);
  }
  pv_vec_free(&e->instances);
  pv_map_free(&e->by_context);
  pv_vec_free(&e->contexts);
  pv_vec_free(&e->targets);
  free(e->offset);
  free(e->of);
  free(e->caller_first);
  free(e->callers);
  free(e->recurs);
  free(e->is_error);
  pv_vec_free(&e->errors);
  free(e->thread);
  free(e->distance);
  pv_vec_free(&e->touched);
  pv_frontier_free(&e->open);
  free(e);
}

uint32_t pv_efsm_nodes(const struct pv_efsm *e) {
  return e->n;
}

/* ---- backward searches ----------------------------------------------------------------------- */
static void offer(struct pv_efsm *e, uint32_t node, uint32_t distance) {
  if (distance >= e->distance[node]) return;
  if (e->distance[node] == PV_DISTANCE_NONE) pv_vec_push(&e->touched, node);
  e->distance[node] = distance;
  pv_frontier_put(&e->open, node, distance);
}

/* Parameters of a search: paths end at ends of function `closed` (NONE: no such function); the
 * search stops when the nodes of instance `only` are complete (NONE: never); creates: also through
 * created threads. */
struct alternative {
  uint32_t closed, only;
  bool creates;
};

static void step_back(struct pv_efsm *e, const struct alternative *w, uint32_t at, uint32_t base) {
  const struct pv_dgraph *g = e->g;
  const struct instance *x = &e->instances.at[at];
  for (uint32_t i = g->back_first[base]; i < g->back_first[base + 1]; i++) {
    uint32_t call = g->back[i], n = g->lists.at[g->calls.at[call].list].n;
    for (uint32_t k = 0; k < n; k++) {
      const struct instance *to =
          &e->instances.at[e->targets.at[x->first_target + e->offset[call] + k]];
      const struct pv_dgraph_function *f = &g->functions.at[to->function];
      if (to->function == w->closed) continue;
      offer(e, to->first + (f->end - f->first), pv_distance_add(e->open.at, g->leave));
    }
  }
}

static void step_out(struct pv_efsm *e, const struct alternative *w, uint32_t at) {
  const struct pv_dgraph *g = e->g;
  for (uint32_t i = e->caller_first[at]; i < e->caller_first[at + 1]; i++) {
    const struct instance *x = &e->instances.at[e->callers[i].instance];
    const struct pv_dgraph_edge *c = &g->calls.at[e->callers[i].call];
    if (c->creates && !w->creates) continue;
    offer(e, x->first + (c->from - g->functions.at[x->function].first),
          pv_distance_add(e->open.at, c->cost));
  }
}

static void search(struct pv_efsm *e, const struct alternative *w) {
  const struct pv_dgraph *g = e->g;
  uint32_t node, left = UINT32_MAX;
  if (w->only != PV_DISTANCE_NONE) left = g->functions.at[e->instances.at[w->only].function].n;
  while (left && pv_frontier_take(&e->open, &node)) {
    if (e->distance[node] != e->open.at) continue;
    uint32_t at = e->of[node];
    const struct instance *x = &e->instances.at[at];
    uint32_t from = g->functions.at[x->function].first, base = from + (node - x->first);
    left -= at == w->only;
    for (uint32_t i = g->in_first[base]; i < g->in_first[base + 1]; i++)
      offer(e, x->first + (g->in[i].from - from), pv_distance_add(e->open.at, g->in[i].cost));
    step_back(e, w, at, base);
    if (g->starts[base]) step_out(e, w, at);
  }
}

static void forget(struct pv_efsm *e) {
  for (uint32_t i = 0; i < e->touched.n; i++) e->distance[e->touched.at[i]] = PV_DISTANCE_NONE;
  e->work += e->touched.n;
  e->touched.n = 0;
  pv_frontier_reset(&e->open);
}

/* Stores the result for the nodes of an instance. */
static uint32_t *keep(const struct pv_efsm *e, const struct instance *x) {
  uint32_t n = e->g->functions.at[x->function].n;
  uint32_t *d = pv_alloc(((size_t)n + 1) * sizeof *d);
  memcpy(d, e->distance + x->first, n * sizeof *d);
  return d;
}

static uint32_t closed(const struct pv_efsm *e, uint32_t function) {
  return e->recurs[function] ? PV_DISTANCE_NONE : function;
}

static void offer_errors(struct pv_efsm *e) {
  for (uint32_t i = 0; i < e->errors.n; i++) offer(e, e->errors.at[i], 0);
}

/* Computes how far a thread has to go from its start, itself or through threads that it creates. */
static void find_threads(struct pv_efsm *e) {
  struct alternative w = {PV_DISTANCE_NONE, PV_DISTANCE_NONE, true};
  e->thread = pv_alloc(((size_t)e->instances.n + 1) * sizeof *e->thread);
  offer_errors(e);
  search(e, &w);
  for (uint32_t i = 0; i < e->instances.n; i++) {
    const struct instance *x = &e->instances.at[i];
    const struct pv_dgraph_function *f = &e->g->functions.at[x->function];
    e->thread[i] = e->distance[x->first + (f->start - f->first)];
  }
  forget(e);
}

static void offer_creations(struct pv_efsm *e) {
  if (!e->thread) find_threads(e);
  for (uint32_t i = 0; i < e->instances.n; i++)
    for (uint32_t k = e->caller_first[i]; k < e->caller_first[i + 1]; k++) {
      const struct instance *x = &e->instances.at[e->callers[k].instance];
      const struct pv_dgraph_edge *c = &e->g->calls.at[e->callers[k].call];
      uint32_t at = x->first + (c->from - e->g->functions.at[x->function].first);
      if (c->creates) offer(e, at, pv_distance_add(c->cost, e->thread[i]));
    }
}

/* Computes the distances for all instances of the function. */
static void find_errors(struct pv_efsm *e, uint32_t function) {
  struct alternative w = {closed(e, function), PV_DISTANCE_NONE, false};
  for (int create = 0; create < 2; create++) {
    if (create && !e->creates) continue;
    if (create)
      offer_creations(e);
    else
      offer_errors(e);
    search(e, &w);
    for (uint32_t i = 0; i < e->instances.n; i++) {
      struct instance *x = &e->instances.at[i];
      if (x->function != function) continue;
      if (create)
        x->create = keep(e, x);
      else
        x->error = keep(e, x);
    }
    forget(e);
  }
}

static void find_end(struct pv_efsm *e, uint32_t at) {
  struct instance *x = &e->instances.at[at];
  const struct pv_dgraph_function *f = &e->g->functions.at[x->function];
  struct alternative w = {closed(e, x->function), at, false};
  offer(e, x->first + (f->end - f->first), 0);
  search(e, &w);
  x->end = keep(e, x);
  forget(e);
}

static struct pv_distance distance_at(struct pv_efsm *e, uint32_t at, uint32_t loc) {
  if (!e->instances.at[at].error) find_errors(e, e->instances.at[at].function);
  if (!e->instances.at[at].end) find_end(e, at);
  const struct instance *x = &e->instances.at[at];
  return (struct pv_distance){x->end[loc], x->error[loc],
                              x->create ? x->create[loc] : PV_DISTANCE_NONE};
}

/* ---- queries --------------------------------------------------------------------------------- */
enum pv_limit pv_efsm_complete(struct pv_efsm *e, struct pv_limits *limits) {
  enum pv_limit hit = PV_LIMIT_NONE;
  for (uint32_t i = 0; i < e->instances.n && hit == PV_LIMIT_NONE; i++) {
    uint32_t n = e->g->functions.at[e->instances.at[i].function].n;
    if (n) distance_at(e, i, 0);
    if (!limits || e->work < LOOK) continue;
    hit = pv_limits_check_now(limits);
    e->work = 0;
  }
  return hit;
}

struct pv_distance pv_efsm_at(struct pv_efsm *e, const struct pv_place_of *stack, uint32_t n,
                              uint32_t i) {
  uint32_t below = n - 1 - i, length = below < e->k ? below : e->k;
  PV_VEC(uint32_t) key = {0};
  pv_vec_push(&key, stack[i].function);
  pv_vec_push(&key, length);
  for (uint32_t k = 1; k <= length; k++)
    pv_vec_push(&key, pv_dgraph_node(e->g, stack[i + k].function, stack[i + k].loc));
  uint32_t at = instance(e, key.at, false);
  pv_vec_free(&key);
  if (at == PV_DISTANCE_NONE) return (struct pv_distance){0, 0, 0};
  return distance_at(e, at, stack[i].loc);
}

struct pv_estimate pv_efsm_stack(struct pv_efsm *e, const struct pv_place_of *stack, uint32_t n) {
  struct pv_estimate r = PV_ESTIMATE_NONE;
  for (uint32_t i = n; i-- > 0;) r = pv_estimate_above(pv_efsm_at(e, stack, n, i), r, e->g->leave);
  return r;
}

struct pv_distance pv_efsm_least(struct pv_efsm *e, uint32_t function, uint32_t loc) {
  struct pv_distance least = {PV_DISTANCE_NONE, PV_DISTANCE_NONE, PV_DISTANCE_NONE};
  for (uint32_t i = 0; i < e->instances.n; i++) {
    if (e->instances.at[i].function != function) continue;
    struct pv_distance d = distance_at(e, i, loc);
    least.end = pv_distance_min(least.end, d.end);
    least.error = pv_distance_min(least.error, d.error);
    least.create = pv_distance_min(least.create, d.create);
  }
  return least;
}
