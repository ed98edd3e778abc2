#include "analysis/call_graph.h"

#include "analysis/graph.h"

#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

enum { KINDS_MAX = 64 };

struct site {
  uint32_t function, edge, first, n; /* slice of `callees` */
};

struct pv_call_graph {
  const struct pv_program *p;
  const struct pv_points_to *pt;
  PV_VEC(struct site) sites; /* by function and edge */
  PV_VEC(uint32_t) callees;  /* equal lists are stored once */
  struct pv_map lists;       /* list -> its position */
  uint32_t *component;
  uint8_t *recurs;
  uint64_t *threads; /* by function */
  bool has_threads;
};

bool pv_creates_thread(const struct pv_program *p, const struct pv_edge *e) {
  return e->op == PV_OP_PRIM && p->prims.at[e->aux].prim->role == PV_ROLE_CREATES;
}

/* ---- calls ----------------------------------------------------------------------------------- */
static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Collects the functions of the instances that the edge leads to, each once. */
static void collect(struct pv_call_graph *c, uint32_t function, uint32_t edge, uint32_t *seen) {
  const uint32_t *instances, *calls;
  uint32_t n = pv_points_to_instances(c->pt, function, &instances), n_calls;
  uint32_t stamp = c->sites.n + 1, first = c->callees.n;
  for (uint32_t i = 0; i < n; i++) {
    calls = pv_points_to_calls(c->pt, instances[i], edge, &n_calls);
    for (uint32_t k = 0; k < n_calls; k++) {
      uint32_t f = pv_points_to_function_of(c->pt, calls[k]);
      if (seen[f] == stamp || !c->p->functions.at[f].defined) continue;
      seen[f] = stamp;
      pv_vec_push(&c->callees, f);
    }
  }
  if (c->callees.n > first)
    qsort(c->callees.at + first, c->callees.n - first, sizeof *c->callees.at, compare);
}

/* The new list is the last part of `callees`. */
static void share_list(struct pv_call_graph *c, struct site *s) {
  bool is_new;
  uint32_t at = *pv_map_put(&c->lists, c->callees.at + s->first, s->n * sizeof *c->callees.at,
                            s->first, &is_new);
  if (is_new) return;
  c->callees.n = s->first;
  s->first = at;
}

static void add_site(struct pv_call_graph *c, uint32_t function, uint32_t edge, uint32_t *seen) {
  const struct pv_edge *e = &c->p->functions.at[function].edges.at[edge];
  struct site s = {.function = function, .edge = edge, .first = c->callees.n};
  bool creates = pv_creates_thread(c->p, e);
  if (e->op != PV_OP_CALL && !creates) return;
  if (creates && !pv_points_to_complete(c->pt)) {
    for (uint32_t f = 0; f < c->p->functions.n; f++)
      if (strcmp(c->p->functions.at[f].name, "__proviso_thread_main") == 0)
        pv_vec_push(&c->callees, f);
  } else if (creates || e->callee == PV_NO_FUNC) {
    collect(c, function, edge, seen);
  } else if (c->p->functions.at[e->callee].defined) {
    pv_vec_push(&c->callees, e->callee);
  }
  s.n = c->callees.n - s.first;
  if (s.n) share_list(c, &s);
  c->has_threads |= creates;
  pv_vec_push(&c->sites, s);
}

static void find_sites(struct pv_call_graph *c) {
  uint32_t *seen = pv_alloc((c->p->functions.n + 1) * sizeof *seen);
  for (uint32_t f = 0; f < c->p->functions.n; f++)
    for (uint32_t i = 0; pv_call_graph_runs(c, f) && i < c->p->functions.at[f].edges.n; i++)
      add_site(c, f, i, seen);
  free(seen);
}

static bool is_call(const struct pv_call_graph *c, const struct site *s) {
  return c->p->functions.at[s->function].edges.at[s->edge].op == PV_OP_CALL;
}

/* The graph has a node for each list of callees. So calls through tables of functions need fewer
 * arcs than calls times functions. */
static struct pv_graph graph_of(const struct pv_call_graph *c) {
  pv_arcs arcs = {0};
  struct pv_map lists = {0};
  uint32_t n = c->p->functions.n;
  for (uint32_t i = 0; i < c->sites.n; i++) {
    const struct site *s = &c->sites.at[i];
    if (!is_call(c, s) || !s->n) continue;
    struct pv_arc arc = {s->function, c->callees.at[s->first]};
    bool is_new = false;
    if (s->n > 1) arc.to = n + *pv_map_put(&lists, &s->first, sizeof s->first, lists.n, &is_new);
    pv_vec_push(&arcs, arc);
    for (uint32_t k = 0; is_new && k < s->n; k++) {
      struct pv_arc to = {arc.to, c->callees.at[s->first + k]};
      pv_vec_push(&arcs, to);
    }
  }
  struct pv_graph g = pv_graph_new(n + lists.n, &arcs);
  pv_vec_free(&arcs);
  pv_map_free(&lists);
  return g;
}

static void find_components(struct pv_call_graph *c) {
  struct pv_graph g = graph_of(c);
  uint32_t count, n = c->p->functions.n;
  c->component = pv_components(&g, &count);
  c->recurs = pv_alloc(n + 1);
  uint32_t *size = pv_alloc((count + 1) * sizeof *size);
  for (uint32_t v = 0; v < g.n; v++) size[c->component[v]]++;
  for (uint32_t f = 0; f < n; f++) {
    c->recurs[f] = size[c->component[f]] > 1;
    for (uint32_t i = g.first[f]; i < g.first[f + 1]; i++) c->recurs[f] |= g.to[i] == f;
  }
  free(size);
  pv_graph_free(&g);
}

/* ---- threads --------------------------------------------------------------------------------- */
static void mark_from(struct pv_call_graph *c, const struct pv_graph *calls, uint32_t instance,
                      uint64_t bit, uint64_t *kinds) {
  PV_VEC(uint32_t) todo = {0};
  if (!(kinds[instance] & bit)) pv_vec_push(&todo, instance);
  kinds[instance] |= bit;
  while (todo.n) {
    uint32_t at = pv_vec_pop(&todo);
    c->threads[pv_points_to_function_of(c->pt, at)] |= bit;
    for (uint32_t i = calls->first[at]; i < calls->first[at + 1]; i++) {
      if (kinds[calls->to[i]] & bit) continue;
      kinds[calls->to[i]] |= bit;
      pv_vec_push(&todo, calls->to[i]);
    }
  }
  pv_vec_free(&todo);
}

struct instances {
  pv_arcs calls;
  PV_VEC(uint32_t) bottoms; /* bottom functions of threads */
  uint32_t n;
};

static void collect_instances(const struct pv_call_graph *c, struct instances *all) {
  for (uint32_t i = 0; i < c->sites.n; i++) {
    const struct site *s = &c->sites.at[i];
    const uint32_t *instances, *to;
    uint32_t n = pv_points_to_instances(c->pt, s->function, &instances), n_to;
    for (uint32_t k = 0; k < n; k++) {
      to = pv_points_to_calls(c->pt, instances[k], s->edge, &n_to);
      for (uint32_t x = 0; x < n_to; x++) {
        struct pv_arc arc = {instances[k], to[x]};
        if (is_call(c, s))
          pv_vec_push(&all->calls, arc);
        else
          pv_vec_push(&all->bottoms, to[x]);
      }
    }
  }
}

/* The bottom function has one instance for each place that creates threads. */
static void find_threads(struct pv_call_graph *c) {
  struct instances all = {0};
  const uint32_t *start;
  for (uint32_t f = 0; f < c->p->functions.n; f++) {
    uint32_t n = pv_points_to_instances(c->pt, f, &start);
    for (uint32_t i = 0; i < n; i++)
      if (start[i] >= all.n) all.n = start[i] + 1;
  }
  collect_instances(c, &all);
  struct pv_graph calls = pv_graph_new(all.n, &all.calls);
  uint64_t *kinds = pv_alloc((all.n + 1) * sizeof *kinds);
  if (pv_points_to_instances(c->pt, c->p->start, &start)) mark_from(c, &calls, start[0], 1, kinds);
  uint32_t kind = 1;
  for (uint32_t i = 0; i < all.bottoms.n; i++) {
    if (kinds[all.bottoms.at[i]] >> 1) continue; /* already handled, or called by a thread */
    mark_from(c, &calls, all.bottoms.at[i], UINT64_C(1) << kind, kinds);
    if (kind + 1 < KINDS_MAX) kind++;
  }
  free(kinds);
  pv_graph_free(&calls);
  pv_vec_free(&all.calls);
  pv_vec_free(&all.bottoms);
}

struct pv_call_graph *pv_call_graph_new(const struct pv_program *p, const struct pv_points_to *pt) {
  struct pv_call_graph *c = pv_alloc(sizeof *c);
  c->p = p;
  c->pt = pt;
  c->threads = pv_alloc((p->functions.n + 1) * sizeof *c->threads);
  find_sites(c);
  find_components(c);
  if (pv_points_to_complete(pt)) {
    find_threads(c);
  } else {
    for (uint32_t f = 0; f < p->functions.n; f++) c->threads[f] = c->has_threads ? UINT64_MAX : 1;
  }
  return c;
}

void pv_call_graph_free(struct pv_call_graph *c) {
  if (!c) return;
  pv_vec_free(&c->sites);
  pv_vec_free(&c->callees);
  pv_map_free(&c->lists);
  free(c->component);
  free(c->recurs);
  free(c->threads);
  free(c);
}

/* ---- queries --------------------------------------------------------------------------------- */
bool pv_call_graph_runs(const struct pv_call_graph *c, uint32_t function) {
  const uint32_t *instances;
  return c->p->functions.at[function].defined &&
         pv_points_to_instances(c->pt, function, &instances) > 0;
}

const uint32_t *pv_call_graph_callees(const struct pv_call_graph *c, uint32_t function,
                                      uint32_t edge, uint32_t *n) {
  uint32_t low = 0, high = c->sites.n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const struct site *s = &c->sites.at[middle];
    if (s->function < function || (s->function == function && s->edge < edge))
      low = middle + 1;
    else
      high = middle;
  }
  const struct site *s = &c->sites.at[low];
  bool found = low < c->sites.n && s->function == function && s->edge == edge;
  *n = found ? s->n : 0;
  return found ? c->callees.at + s->first : NULL;
}

uint32_t pv_call_graph_component(const struct pv_call_graph *c, uint32_t function) {
  return c->component[function];
}

bool pv_call_graph_recurs(const struct pv_call_graph *c, uint32_t function) {
  return c->recurs[function];
}

uint64_t pv_call_graph_threads(const struct pv_call_graph *c, uint32_t function) {
  return c->threads[function];
}

bool pv_call_graph_has_threads(const struct pv_call_graph *c) {
  return c->has_threads;
}
