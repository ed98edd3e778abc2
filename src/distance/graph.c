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
  free(g->out);
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

void pv_dgraph_edge(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost) {
  struct pv_dgraph_edge e = {node_in(g, f, from), node_in(g, f, to), cost};
  pv_vec_push(&g->edges, e);
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

static void add_call(struct pv_dgraph *g, struct pv_dgraph_call c, const uint32_t *callees,
                     uint32_t n) {
  c.list = list_of(g, callees, n);
  pv_vec_push(&g->calls, c);
}

void pv_dgraph_call(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost,
                    const uint32_t *callees, uint32_t n) {
  struct pv_dgraph_call c = {.from = node_in(g, f, from), .to = node_in(g, f, to), .cost = cost};
  if (n)
    add_call(g, c, callees, n);
  else
    pv_dgraph_edge(g, f, from, to, cost);
}

void pv_dgraph_create(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost,
                      const uint32_t *callees, uint32_t n) {
  struct pv_dgraph_call c = {.from = node_in(g, f, from), .to = node_in(g, f, to), .cost = cost};
  c.creates = true;
  pv_dgraph_edge(g, f, from, to, cost);
  if (n) add_call(g, c, callees, n);
}

/* ---- finishing ------------------------------------------------------------------------------- */
/* Counts to places: `first` holds, at x + 1, how many there are of x. */
static void accumulate(uint32_t *first, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) first[i + 1] += first[i];
}

static uint32_t *starts(uint32_t n) {
  return pv_alloc(((size_t)n + 2) * sizeof(uint32_t));
}

static void index_edges(struct pv_dgraph *g) {
  uint32_t *first = g->in_first = starts(g->n);
  g->in = pv_alloc(((size_t)g->edges.n + 1) * sizeof *g->in);
  for (uint32_t i = 0; i < g->edges.n; i++) first[g->edges.at[i].to + 1]++;
  accumulate(first, g->n);
  uint32_t *at = starts(g->n);
  memcpy(at, first, ((size_t)g->n + 1) * sizeof *at);
  for (uint32_t i = 0; i < g->edges.n; i++) {
    const struct pv_dgraph_edge *e = &g->edges.at[i];
    g->in[at[e->to]++] = (struct pv_dgraph_arc){e->from, e->cost};
  }
  free(at);
}

static void index_out(struct pv_dgraph *g) {
  uint32_t *first = g->out_first = starts(g->n);
  g->out = pv_alloc(((size_t)g->edges.n + g->calls.n + 1) * sizeof *g->out);
  for (uint32_t i = 0; i < g->edges.n; i++) first[g->edges.at[i].from + 1]++;
  for (uint32_t i = 0; i < g->calls.n; i++)
    if (!g->calls.at[i].creates) first[g->calls.at[i].from + 1]++;
  accumulate(first, g->n);
  uint32_t *at = starts(g->n);
  memcpy(at, first, ((size_t)g->n + 1) * sizeof *at);
  for (uint32_t i = 0; i < g->edges.n; i++) {
    const struct pv_dgraph_edge *e = &g->edges.at[i];
    g->out[at[e->from]++] = (struct pv_dgraph_out){e->to, e->cost, PV_DISTANCE_NONE};
  }
  for (uint32_t i = 0; i < g->calls.n; i++) {
    const struct pv_dgraph_call *c = &g->calls.at[i];
    if (!c->creates) g->out[at[c->from]++] = (struct pv_dgraph_out){c->to, c->cost, c->list};
  }
  free(at);
}

static int by_place(const void *a, const void *b) {
  const struct pv_dgraph_call *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  return x->list < y->list ? -1 : x->list > y->list;
}

static void index_calls(struct pv_dgraph *g) {
  bool sorted = true;
  for (uint32_t i = 1; i < g->calls.n; i++)
    sorted = sorted && g->calls.at[i - 1].from <= g->calls.at[i].from;
  if (!sorted) qsort(g->calls.at, g->calls.n, sizeof *g->calls.at, by_place);
  g->back_first = starts(g->n);
  g->back = pv_alloc(((size_t)g->calls.n + 1) * sizeof *g->back);
  g->made_first = starts(g->lists.n);
  g->made = pv_alloc(((size_t)g->calls.n + 1) * sizeof *g->made);
  uint32_t *back = starts(g->n), *made = starts(g->lists.n), f = 0;
  for (uint32_t i = 0; i < g->calls.n; i++) {
    const struct pv_dgraph_call *c = &g->calls.at[i];
    g->made_first[c->list + 1]++;
    if (!c->creates) g->back_first[c->to + 1]++;
    while (c->from >= g->functions.at[f].first + g->functions.at[f].n) f++;
    if (!g->functions.at[f].n_calls++) g->functions.at[f].first_call = i;
  }
  accumulate(g->back_first, g->n);
  accumulate(g->made_first, g->lists.n);
  memcpy(back, g->back_first, ((size_t)g->n + 1) * sizeof *back);
  memcpy(made, g->made_first, ((size_t)g->lists.n + 1) * sizeof *made);
  for (uint32_t i = 0; i < g->calls.n; i++) {
    const struct pv_dgraph_call *c = &g->calls.at[i];
    g->made[made[c->list]++] = i;
    if (!c->creates) g->back[back[c->to]++] = i;
  }
  free(back);
  free(made);
}

static void index_lists(struct pv_dgraph *g) {
  uint32_t *first = g->user_first = starts(g->functions.n);
  g->user = pv_alloc(((size_t)g->callees.n + 1) * sizeof *g->user);
  for (uint32_t i = 0; i < g->callees.n; i++) {
    PV_REQUIRE(g->callees.at[i] < g->functions.n && g->functions.at[g->callees.at[i]].n,
               "a callee is a function with nodes");
    first[g->callees.at[i] + 1]++;
  }
  accumulate(first, g->functions.n);
  uint32_t *at = starts(g->functions.n);
  memcpy(at, first, ((size_t)g->functions.n + 1) * sizeof *at);
  for (uint32_t l = 0; l < g->lists.n; l++)
    for (uint32_t i = 0; i < g->lists.at[l].n; i++)
      g->user[at[g->callees.at[g->lists.at[l].first + i]]++] = l;
  free(at);
}

void pv_dgraph_finish(struct pv_dgraph *g) {
  PV_REQUIRE(!g->in_first, "a graph is finished once");
  index_edges(g);
  index_out(g);
  index_calls(g);
  index_lists(g);
  g->starts = starts(g->n);
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
