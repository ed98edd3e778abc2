#include "distance/graph.h"

#include <stdlib.h>
#include <string.h>

struct pv_dgraph *pv_dgraph_new(uint32_t leave) {
  struct pv_dgraph *g = pv_alloc(sizeof *g);
  g->leave = leave;
  g->root = PV_DISTANCE_NONE;
  return g;
}

void pv_dgraph_free(struct pv_dgraph *g) {
  if (!g) return;
  pv_vec_free(&g->functions);
  pv_vec_free(&g->edges);
  pv_vec_free(&g->calls);
  pv_vec_free(&g->lists);
  pv_vec_free(&g->callees);
  pv_map_free(&g->list_of);
  free(g->out_first);
  free(g->order);
  free(g->in_first);
  free(g->in);
  free(g->back_first);
  free(g->back);
  free(g->user_first);
  free(g->user);
  free(g->made_first);
  free(g->made);
  free(g->starts);
  free(g);
}

/* ---- building -------------------------------------------------------------------------------- */
uint32_t pv_dgraph_function(struct pv_dgraph *g, uint32_t n, uint32_t start, uint32_t end) {
  struct pv_dgraph_function f = {.first = g->n, .n = n, .start = g->n + start, .end = g->n + end};
  PV_REQUIRE(!n || (start < n && end < n), "start and end are nodes of the function");
  pv_vec_push(&g->functions, f);
  g->n += n;
  return g->functions.n - 1;
}

static uint32_t node_in(const struct pv_dgraph *g, uint32_t f, uint32_t loc) {
  PV_REQUIRE(f < g->functions.n && loc < g->functions.at[f].n, "a node of the function");
  return g->functions.at[f].first + loc;
}

static uint32_t list_of(struct pv_dgraph *g, const uint32_t *callees, uint32_t n) {
  bool is_new;
  uint32_t at = *pv_map_put(&g->list_of, callees, n * sizeof *callees, g->lists.n, &is_new);
  if (!is_new) return at;
  struct pv_dgraph_list list = {g->callees.n, n};
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&g->callees, callees[i]);
  pv_vec_push(&g->lists, list);
  return at;
}

static void add(struct pv_dgraph *g, uint32_t f, struct pv_dgraph_edge e) {
  e.from = node_in(g, f, e.from);
  e.to = node_in(g, f, e.to);
  pv_vec_push(&g->edges, e);
}

void pv_dgraph_edge(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost) {
  add(g, f, (struct pv_dgraph_edge){from, to, cost, PV_DISTANCE_NONE, false});
}

void pv_dgraph_call(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost,
                    const uint32_t *callees, uint32_t n) {
  uint32_t list = n ? list_of(g, callees, n) : PV_DISTANCE_NONE;
  add(g, f, (struct pv_dgraph_edge){from, to, cost, list, false});
}

void pv_dgraph_create(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost,
                      const uint32_t *callees, uint32_t n) {
  pv_dgraph_edge(g, f, from, to, cost);
  if (n) add(g, f, (struct pv_dgraph_edge){from, to, cost, list_of(g, callees, n), true});
}

/* ---- finishing -------------------------------------------------------------------------------
 * An index is built in three passes: `first` counts the entries of each key, becomes the end of
 * each key's entries, and is counted down to their beginning while positions are assigned, from the
 * last entry on. */
static uint32_t *new_index(uint32_t n) {
  return pv_alloc(((size_t)n + 2) * sizeof(uint32_t));
}

static void accumulate(uint32_t *first, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) first[i + 1] += first[i];
}

static void sort_edges(struct pv_dgraph *g) {
  const struct pv_dgraph_edge *was = g->edges.at;
  struct pv_dgraph_edge *sorted = pv_alloc(((size_t)g->edges.n + 1) * sizeof *sorted);
  uint32_t *first = new_index(g->n);
  for (uint32_t i = 0; i < g->edges.n; i++) first[was[i].from]++;
  accumulate(first, g->n);
  for (uint32_t i = g->edges.n; i-- > 0;) sorted[--first[was[i].from]] = was[i];
  memcpy(g->edges.at, sorted, g->edges.n * sizeof *sorted);
  free(sorted);
  free(first);
}

static void index_edges(struct pv_dgraph *g) {
  uint32_t node = 0;
  bool sorted = true;
  for (uint32_t i = 1; i < g->edges.n && sorted; i++)
    sorted = g->edges.at[i - 1].from <= g->edges.at[i].from;
  if (!sorted) sort_edges(g);
  g->out_first = new_index(g->n);
  for (uint32_t i = 0; i < g->edges.n; i++)
    while (node <= g->edges.at[i].from) g->out_first[node++] = i;
  while (node <= g->n) g->out_first[node++] = g->edges.n;
}

static void index_calls(struct pv_dgraph *g) {
  uint32_t f = 0;
  for (uint32_t i = 0; i < g->edges.n; i++) {
    const struct pv_dgraph_edge *e = &g->edges.at[i];
    if (e->list == PV_DISTANCE_NONE) continue;
    while (e->from >= g->functions.at[f].first + g->functions.at[f].n) f++;
    if (!g->functions.at[f].n_calls++) g->functions.at[f].first_call = g->calls.n;
    pv_vec_push(&g->calls, *e);
  }
}

static void index_lists(struct pv_dgraph *g) {
  uint32_t *first = g->user_first = new_index(g->functions.n);
  g->user = pv_alloc(((size_t)g->callees.n + 1) * sizeof *g->user);
  for (uint32_t i = 0; i < g->callees.n; i++) {
    PV_REQUIRE(g->callees.at[i] < g->functions.n && g->functions.at[g->callees.at[i]].n,
               "a callee is a function with nodes");
    first[g->callees.at[i]]++;
  }
  accumulate(first, g->functions.n);
  for (uint32_t l = g->lists.n; l-- > 0;)
    for (uint32_t i = g->lists.at[l].n; i-- > 0;)
      g->user[--first[g->callees.at[g->lists.at[l].first + i]]] = l;
}

static void order_by_number(struct pv_dgraph *g) {
  g->order = pv_alloc(((size_t)g->functions.n + 1) * sizeof *g->order);
  for (uint32_t f = 0; f < g->functions.n; f++)
    if (g->functions.at[f].n) g->order[g->n_order++] = f;
}

void pv_dgraph_finish(struct pv_dgraph *g) {
  PV_REQUIRE(!g->out_first, "a graph is finished once");
  index_edges(g);
  index_calls(g);
  index_lists(g);
  if (!g->order) order_by_number(g);
}

/* ---- backwards ------------------------------------------------------------------------------- */
static void index_in(struct pv_dgraph *g) {
  uint32_t *first = g->in_first = new_index(g->n);
  g->in = pv_alloc(((size_t)g->edges.n + 1) * sizeof *g->in);
  for (uint32_t i = 0; i < g->edges.n; i++)
    first[g->edges.at[i].to] += g->edges.at[i].list == PV_DISTANCE_NONE;
  accumulate(first, g->n);
  for (uint32_t i = g->edges.n; i-- > 0;) {
    const struct pv_dgraph_edge *e = &g->edges.at[i];
    if (e->list == PV_DISTANCE_NONE)
      g->in[--first[e->to]] = (struct pv_dgraph_arc){e->from, e->cost};
  }
}

static void index_back(struct pv_dgraph *g) {
  g->back_first = new_index(g->n);
  g->back = pv_alloc(((size_t)g->calls.n + 1) * sizeof *g->back);
  g->made_first = new_index(g->lists.n);
  g->made = pv_alloc(((size_t)g->calls.n + 1) * sizeof *g->made);
  for (uint32_t i = 0; i < g->calls.n; i++) {
    const struct pv_dgraph_edge *c = &g->calls.at[i];
    g->made_first[c->list]++;
    if (!c->creates) g->back_first[c->to]++;
  }
  accumulate(g->back_first, g->n);
  accumulate(g->made_first, g->lists.n);
  for (uint32_t i = g->calls.n; i-- > 0;) {
    const struct pv_dgraph_edge *c = &g->calls.at[i];
    g->made[--g->made_first[c->list]] = i;
    if (!c->creates) g->back[--g->back_first[c->to]] = i;
  }
}

void pv_dgraph_backwards(struct pv_dgraph *g) {
  PV_REQUIRE(g->out_first, "the graph is finished");
  if (g->in_first) return;
  index_in(g);
  index_back(g);
  g->starts = new_index(g->n);
  for (uint32_t f = 0; f < g->functions.n; f++)
    if (g->functions.at[f].n) g->starts[g->functions.at[f].start] = f + 1;
}

uint32_t pv_dgraph_function_of(const struct pv_dgraph *g, uint32_t node) {
  uint32_t low = 0, high = g->functions.n;
  while (low + 1 < high) {
    uint32_t middle = low + (high - low) / 2;
    if (g->functions.at[middle].first <= node)
      low = middle;
    else
      high = middle;
  }
  return low;
}
