/* distance_test.h -- for the tests of this room: the paper's graphs, random graphs, and distances
 * by brute force. */
#ifndef PV_DISTANCE_TEST_H
#define PV_DISTANCE_TEST_H

#include "analysis/analysis_test.h"
#include "distance/fca.h"
#include "distance/frontier.h"

#define NONE PV_DISTANCE_NONE

/* ---- the paper's graphs (Rungta and Mercer, FMCAD 2006) ---------------------------------------
 * Figure 3: main is function 0 (m1 .. m4), sub1 is 1 (s1 .. s4). The error is s2. */
enum { MAIN, SUB };
static inline struct pv_dgraph *pv_test_figure_3(uint32_t *error) {
  struct pv_dgraph *g = pv_dgraph_new(1);
  const uint32_t sub = SUB;
  g->root = pv_dgraph_function(g, 4, 0, 3);
  pv_dgraph_function(g, 4, 0, 3);
  pv_dgraph_edge(g, MAIN, 0, 1, 1);
  pv_dgraph_edge(g, MAIN, 0, 2, 1);
  pv_dgraph_call(g, MAIN, 1, 2, 1, &sub, 1);
  pv_dgraph_edge(g, MAIN, 2, 3, 1);
  pv_dgraph_edge(g, SUB, 0, 1, 1);
  pv_dgraph_edge(g, SUB, 1, 2, 1);
  pv_dgraph_edge(g, SUB, 2, 3, 1);
  pv_dgraph_finish(g);
  *error = pv_dgraph_node(g, SUB, 1);
  return g;
}

/* Figures 1 and 5: m1: call x, m2: call y, m3: the error; x1, y1: call f; f1: call g; g1; g2. */
enum { M, X, Y, F, G };
static inline struct pv_dgraph *pv_test_figure_1(uint32_t *error) {
  struct pv_dgraph *g = pv_dgraph_new(1);
  const uint32_t x = X, y = Y, f = F, h = G;
  g->root = pv_dgraph_function(g, 3, 0, 2);
  for (unsigned i = X; i <= G; i++) pv_dgraph_function(g, 2, 0, 1);
  pv_dgraph_call(g, M, 0, 1, 1, &x, 1);
  pv_dgraph_call(g, M, 1, 2, 1, &y, 1);
  pv_dgraph_call(g, X, 0, 1, 1, &f, 1);
  pv_dgraph_call(g, Y, 0, 1, 1, &f, 1);
  pv_dgraph_call(g, F, 0, 1, 1, &h, 1);
  pv_dgraph_edge(g, G, 0, 1, 1);
  pv_dgraph_finish(g);
  *error = pv_dgraph_node(g, M, 2);
  return g;
}

/* ---- random graphs ---------------------------------------------------------------------------
 */
struct pv_test_graph {
  struct pv_dgraph *g;
  uint32_t errors[2], n_errors;
};

/* A few functions of a few nodes, the first one the root. Calls lead to higher numbers unless it
 * may recur. */
static inline struct pv_test_graph pv_test_random_graph(uint64_t *state, bool recurs,
                                                        bool creates) {
  struct pv_test_graph r = {.g = pv_dgraph_new(pv_test_random(state, 2))};
  struct pv_dgraph *g = r.g;
  uint32_t n = 2 + pv_test_random(state, recurs ? 2 : 3), sizes[5], callees[3];
  for (uint32_t f = 0; f < n; f++) {
    sizes[f] = 2 + pv_test_random(state, 4);
    uint32_t end = pv_test_random(state, 8) ? sizes[f] - 1 : pv_test_random(state, sizes[f]);
    pv_dgraph_function(g, sizes[f], 0, end);
  }
  g->root = 0;
  for (uint32_t f = 0; f < n; f++) {
    uint32_t calls = 0;
    for (uint32_t from = 0; from < sizes[f]; from++) {
      uint32_t outs = pv_test_random(state, 3);
      for (uint32_t i = 0; i < outs; i++) {
        uint32_t to = pv_test_random(state, 3) ? from + 1 : pv_test_random(state, sizes[f]);
        uint32_t cost = pv_test_random(state, 5) == 0 ? 3 : pv_test_random(state, 2), some = 0;
        if (to >= sizes[f]) to = sizes[f] - 1;
        for (uint32_t c = recurs ? 0 : f + 1; c < n && some < 2; c++)
          if (pv_test_random(state, 2)) callees[some++] = c;
        if (pv_test_random(state, 2) && some && calls < 2) {
          bool thread = creates && pv_test_random(state, 3) == 0;
          (thread ? pv_dgraph_create : pv_dgraph_call)(g, f, from, to, cost, callees, some);
          calls++;
        } else {
          pv_dgraph_edge(g, f, from, to, cost);
        }
      }
    }
  }
  pv_dgraph_finish(g);
  r.n_errors = 1 + pv_test_random(state, 2);
  for (uint32_t i = 0; i < r.n_errors; i++) r.errors[i] = pv_test_random(state, g->n);
  return r;
}

static inline struct pv_place_of pv_test_place(const struct pv_dgraph *g, uint32_t node) {
  uint32_t f = pv_dgraph_function_of(g, node);
  return (struct pv_place_of){f, node - g->functions.at[f].first};
}

/* A stack that a walk from the root of a thread has, top first: its length. */
static inline uint32_t pv_test_random_stack(const struct pv_dgraph *g, uint64_t *state,
                                            struct pv_place_of *stack, uint32_t most) {
  uint32_t behind[8], n = 0, f = g->root;
  for (uint32_t tries = pv_test_random(state, 6); tries && n + 1 < most; tries--) {
    if (!g->functions.at[f].n_calls) break;
    const struct pv_dgraph_edge *c =
        &g->calls
             .at[g->functions.at[f].first_call + pv_test_random(state, g->functions.at[f].n_calls)];
    const struct pv_dgraph_list *l = &g->lists.at[c->list];
    f = g->callees.at[l->first + pv_test_random(state, l->n)];
    if (c->creates)
      n = 0;
    else
      behind[n++] = c->to;
  }
  stack[0] = (struct pv_place_of){f, pv_test_random(state, g->functions.at[f].n)};
  for (uint32_t i = 0; i < n; i++) stack[1 + i] = pv_test_place(g, behind[n - 1 - i]);
  return n + 1;
}

/* ---- brute force: runs with an explicit stack -------------------------------------------------
 * A configuration: was a thread created (and is followed now)? where is it, where will its calls
 * return? Innermost last. A shortest run nests no more than twice as many calls as there are
 * functions: repeated ones can be cut out. */
struct pv_test_run {
  const struct pv_dgraph *g;
  uint32_t deepest;
  PV_VEC(uint32_t) keys;         /* one after the other: n, created, node, places */
  PV_VEC(uint32_t) at, distance; /* by configuration: in `keys` */
  struct pv_map known;
  struct pv_frontier open;
};

static inline void pv_test_come(struct pv_test_run *r, uint32_t n, uint32_t created, uint32_t node,
                                const uint32_t *places, uint32_t distance) {
  uint32_t key[32] = {n, created, node};
  if (n > r->deepest || n > 28) return;
  for (uint32_t i = 0; i < n; i++) key[3 + i] = places[i];
  bool is_new;
  uint32_t c = *pv_map_put(&r->known, key, (3 + n) * sizeof *key, r->at.n, &is_new);
  if (is_new) {
    pv_vec_push(&r->at, r->keys.n);
    pv_vec_push(&r->distance, NONE);
    for (uint32_t i = 0; i < 3 + n; i++) pv_vec_push(&r->keys, key[i]);
  }
  if (distance >= r->distance.at[c]) return;
  r->distance.at[c] = distance;
  pv_frontier_put(&r->open, c, distance);
}

static inline void pv_test_go_on(struct pv_test_run *r, const uint32_t *key) {
  const struct pv_dgraph *g = r->g;
  uint32_t n = key[0], created = key[1], node = key[2], d = r->open.at, places[32];
  memcpy(places, key + 3, n * sizeof *places);
  for (uint32_t i = 0; i < g->edges.n; i++)
    if (g->edges.at[i].from == node && g->edges.at[i].list == PV_DISTANCE_NONE)
      pv_test_come(r, n, created, g->edges.at[i].to, places, d + g->edges.at[i].cost);
  for (uint32_t i = 0; i < g->calls.n; i++) {
    const struct pv_dgraph_edge *c = &g->calls.at[i];
    const struct pv_dgraph_list *l = &g->lists.at[c->list];
    if (c->from != node) continue;
    places[n] = c->to;
    for (uint32_t k = 0; k < l->n; k++) {
      uint32_t start = g->functions.at[g->callees.at[l->first + k]].start;
      pv_test_come(r, c->creates ? 0 : n + 1, c->creates ? 1 : created, start, places, d + c->cost);
    }
  }
  if (n && node == g->functions.at[pv_dgraph_function_of(g, node)].end)
    pv_test_come(r, n - 1, created, places[n - 1], places, d + g->leave);
}

/* The distances of a stack, top first; end: to the end of the bottom frame. */
static inline struct pv_distance pv_test_brute(const struct pv_test_graph *t,
                                               const struct pv_place_of *stack, uint32_t n) {
  struct pv_test_run r = {.g = t->g, .deepest = n - 1 + 2 * t->g->functions.n};
  struct pv_distance found = {NONE, NONE, NONE};
  uint32_t places[32] = {0}, c, last = t->g->functions.at[stack[n - 1].function].end;
  for (uint32_t i = 1; i < n; i++)
    places[n - 1 - i] = pv_dgraph_node(t->g, stack[i].function, stack[i].loc);
  pv_test_come(&r, n - 1, 0, pv_dgraph_node(t->g, stack[0].function, stack[0].loc), places, 0);
  while (pv_frontier_take(&r.open, &c)) {
    if (r.distance.at[c] != r.open.at) continue;
    uint32_t key[32];
    memcpy(key, r.keys.at + r.at.at[c], (3 + r.keys.at[r.at.at[c]]) * sizeof *key);
    uint32_t *error = key[1] ? &found.create : &found.error;
    for (uint32_t i = 0; i < t->n_errors; i++)
      if (t->errors[i] == key[2]) *error = pv_distance_min(*error, r.open.at);
    if (!key[0] && !key[1] && key[2] == last) found.end = pv_distance_min(found.end, r.open.at);
    pv_test_go_on(&r, key);
  }
  pv_vec_free(&r.keys);
  pv_vec_free(&r.at);
  pv_vec_free(&r.distance);
  pv_map_free(&r.known);
  pv_frontier_free(&r.open);
  return found;
}

/* PROVISO_SEEDS=FROM-TO says which seeds to try; else 1 to `last`. */
static inline void pv_test_seeds(uint64_t *from, uint64_t *to, uint64_t last) {
  const char *text = getenv("PROVISO_SEEDS");
  char *rest;
  *from = 1, *to = last;
  if (!text) return;
  *from = strtoull(text, &rest, 10);
  *to = *rest == '-' ? strtoull(rest + 1, NULL, 10) : *from;
  if (!*from) *from = 1;
}

#endif
