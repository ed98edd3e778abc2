#include "analysis/graph.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *words(size_t n) {
  return pv_alloc((n + 1) * sizeof(uint32_t));
}

struct pv_graph pv_graph_new(uint32_t n, const pv_arcs *arcs) {
  struct pv_graph g = {n, words((size_t)n + 1), words(arcs->n)};
  for (uint32_t i = 0; i < arcs->n; i++) g.first[arcs->at[i].from + 1]++;
  for (uint32_t v = 0; v < n; v++) g.first[v + 1] += g.first[v];
  uint32_t *next = words(n);
  memcpy(next, g.first, n * sizeof *next);
  for (uint32_t i = 0; i < arcs->n; i++) g.to[next[arcs->at[i].from]++] = arcs->at[i].to;
  free(next);
  return g;
}

struct pv_graph pv_graph_reverse(const struct pv_graph *g) {
  pv_arcs arcs = {0};
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
      struct pv_arc arc = {g->to[i], v};
      pv_vec_push(&arcs, arc);
    }
  struct pv_graph back = pv_graph_new(g->n, &arcs);
  pv_vec_free(&arcs);
  return back;
}

void pv_graph_free(struct pv_graph *g) {
  free(g->first);
  free(g->to);
  *g = (struct pv_graph){0};
}

/* ---- dominators ------------------------------------------------------------------------------
 * Nodes are numbered in the order in which a depth-first search enters them. */
struct semi {
  uint32_t n;
  uint32_t *vertex, *number;        /* order -> node and back; PV_NO_GRAPH_NODE: not reached */
  uint32_t *parent, *label, *lower; /* lower: the semidominator */
  uint32_t *stack;
};

static void enter_all(struct semi *s, const struct pv_graph *g, uint32_t root) {
  uint32_t *next = words(g->n), depth = 0;
  memset(s->number, 0xff, g->n * sizeof *s->number);
  s->vertex[s->n] = root;
  s->number[root] = s->n++;
  s->stack[depth++] = root;
  while (depth) {
    uint32_t v = s->stack[depth - 1], i = g->first[v] + next[v]++;
    if (i == g->first[v + 1]) {
      depth--;
      continue;
    }
    uint32_t to = g->to[i];
    if (s->number[to] != PV_NO_GRAPH_NODE) continue;
    s->vertex[s->n] = to;
    s->parent[s->n] = s->number[v];
    s->number[to] = s->n++;
    s->stack[depth++] = to;
  }
  free(next);
}

/* The label with the smallest semidominator on the path up from v to the nodes that are not linked
 * yet. Compresses the path. */
static uint32_t eval(struct semi *s, uint32_t v, uint32_t linked) {
  if (s->parent[v] < linked) return s->label[v];
  uint32_t depth = 0, at = v;
  do {
    s->stack[depth++] = at;
    at = s->parent[at];
  } while (s->parent[at] >= linked);
  uint32_t above = at, best = s->label[at];
  do {
    at = s->stack[--depth];
    s->parent[at] = s->parent[above];
    if (s->lower[best] < s->lower[s->label[at]])
      s->label[at] = best;
    else
      best = s->label[at];
    above = at;
  } while (depth);
  return s->label[at];
}

static void find_semidominators(struct semi *s, const struct pv_graph *back) {
  for (uint32_t i = 0; i < s->n; i++) s->label[i] = s->lower[i] = i;
  for (uint32_t i = s->n - 1; i >= 1 && i < s->n; i--) {
    uint32_t w = s->vertex[i];
    s->lower[i] = s->parent[i];
    for (uint32_t k = back->first[w]; k < back->first[w + 1]; k++) {
      uint32_t from = s->number[back->to[k]];
      if (from == PV_NO_GRAPH_NODE) continue;
      uint32_t low = s->lower[eval(s, from, i + 1)];
      if (low < s->lower[i]) s->lower[i] = low;
    }
  }
}

uint32_t *pv_dominators(const struct pv_graph *g, const struct pv_graph *back, uint32_t root) {
  struct semi s = {0};
  uint32_t **tables[] = {&s.vertex, &s.number, &s.parent, &s.label, &s.lower, &s.stack};
  for (unsigned i = 0; i < 6; i++) *tables[i] = words(g->n);
  enter_all(&s, g, root);
  /* up: by order, initially the parents in the tree. */
  uint32_t *up = words(g->n), *idom = words(g->n);
  memcpy(up, s.parent, s.n * sizeof *up);
  find_semidominators(&s, back);
  memset(idom, 0xff, g->n * sizeof *idom);
  idom[root] = root;
  for (uint32_t i = 1; i < s.n; i++) {
    while (up[i] > s.lower[i]) up[i] = up[up[i]];
    idom[s.vertex[i]] = s.vertex[up[i]];
  }
  for (unsigned i = 0; i < 6; i++) free(*tables[i]);
  free(up);
  return idom;
}

uint32_t *pv_dominator_times(const uint32_t *idom, uint32_t n) {
  pv_arcs arcs = {0};
  uint32_t *times = words(2 * (size_t)n), *stack = words(n), *next = words(n), clock = 0;
  uint32_t root = PV_NO_GRAPH_NODE;
  for (uint32_t v = 0; v < n; v++) {
    struct pv_arc arc = {idom[v], v};
    if (idom[v] == v)
      root = v;
    else if (idom[v] != PV_NO_GRAPH_NODE)
      pv_vec_push(&arcs, arc);
    times[2 * v] = PV_NO_GRAPH_NODE; /* nodes outside of the tree have no ancestors */
  }
  struct pv_graph tree = pv_graph_new(n, &arcs);
  uint32_t depth = 0;
  if (root != PV_NO_GRAPH_NODE) stack[depth++] = root, times[2 * root] = clock++;
  while (depth) {
    uint32_t v = stack[depth - 1], i = tree.first[v] + next[v]++;
    if (i < tree.first[v + 1]) {
      times[2 * tree.to[i]] = clock++;
      stack[depth++] = tree.to[i];
    } else {
      times[2 * v + 1] = clock++;
      depth--;
    }
  }
  pv_graph_free(&tree);
  pv_vec_free(&arcs);
  free(stack);
  free(next);
  return times;
}

/* ---- components ------------------------------------------------------------------------------ */
struct tarjan {
  const struct pv_graph *g;
  uint32_t *component, *number, *low, *next, *stack, *open;
  uint32_t depth, n_open, numbers, components;
};

static void open_node(struct tarjan *t, uint32_t v) {
  t->number[v] = t->low[v] = ++t->numbers;
  t->open[t->n_open++] = v;
  t->stack[t->depth++] = v;
}

static void close_node(struct tarjan *t, uint32_t v) {
  t->depth--;
  if (t->depth && t->low[v] < t->low[t->stack[t->depth - 1]])
    t->low[t->stack[t->depth - 1]] = t->low[v];
  if (t->low[v] != t->number[v]) return;
  uint32_t member;
  do {
    member = t->open[--t->n_open];
    t->component[member] = t->components;
  } while (member != v);
  t->components++;
}

static void walk_from(struct tarjan *t, uint32_t root) {
  open_node(t, root);
  while (t->depth) {
    uint32_t v = t->stack[t->depth - 1], i = t->g->first[v] + t->next[v]++;
    if (i == t->g->first[v + 1]) {
      close_node(t, v);
      continue;
    }
    uint32_t to = t->g->to[i];
    if (!t->number[to])
      open_node(t, to);
    else if (t->component[to] == PV_NO_GRAPH_NODE && t->number[to] < t->low[v])
      t->low[v] = t->number[to];
  }
}

uint32_t *pv_components(const struct pv_graph *g, uint32_t *count) {
  struct tarjan t = {.g = g};
  uint32_t **tables[] = {&t.component, &t.number, &t.low, &t.next, &t.stack, &t.open};
  for (unsigned i = 0; i < 6; i++) *tables[i] = words(g->n);
  memset(t.component, 0xff, g->n * sizeof *t.component);
  for (uint32_t v = 0; v < g->n; v++)
    if (!t.number[v]) walk_from(&t, v);
  for (unsigned i = 1; i < 6; i++) free(*tables[i]);
  *count = t.components;
  return t.component;
}
