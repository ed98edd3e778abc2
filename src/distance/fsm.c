#include "distance/fsm.h"

#include "distance/frontier.h"

struct search {
  const struct pv_dgraph *g;
  uint32_t *distance;      /* by node */
  uint8_t *entered, *left; /* by list: processed, for all calls with this list */
  bool creates;            /* also follow created threads */
  struct pv_frontier open;
};

static void offer(struct search *s, uint32_t node, uint32_t distance) {
  pv_frontier_offer(&s->open, s->distance, node, distance);
}

/* From the place after a call to the ends of its callees. The first visit has the smallest
 * distance. */
static void leave(struct search *s, uint32_t list) {
  const struct pv_dgraph *g = s->g;
  const struct pv_dgraph_list *l = &g->lists.at[list];
  if (s->left[list]) return;
  s->left[list] = 1;
  for (uint32_t i = 0; i < l->n; i++)
    offer(s, g->functions.at[g->callees.at[l->first + i]].end,
          pv_distance_add(s->open.at, g->leave));
}

static void enter(struct search *s, uint32_t function) {
  const struct pv_dgraph *g = s->g;
  for (uint32_t u = g->user_first[function]; u < g->user_first[function + 1]; u++) {
    uint32_t list = g->user[u];
    if (s->entered[list]) continue;
    s->entered[list] = 1;
    for (uint32_t i = g->made_first[list]; i < g->made_first[list + 1]; i++) {
      const struct pv_dgraph_edge *c = &g->calls.at[g->made[i]];
      if (!c->creates || s->creates) offer(s, c->from, pv_distance_add(s->open.at, c->cost));
    }
  }
}

static void run(struct search *s) {
  const struct pv_dgraph *g = s->g;
  uint32_t node;
  s->entered = pv_alloc(g->lists.n + 1);
  s->left = pv_alloc(g->lists.n + 1);
  while (pv_frontier_take(&s->open, &node)) {
    if (s->distance[node] != s->open.at) continue;
    for (uint32_t i = g->in_first[node]; i < g->in_first[node + 1]; i++)
      offer(s, g->in[i].from, pv_distance_add(s->open.at, g->in[i].cost));
    for (uint32_t i = g->back_first[node]; i < g->back_first[node + 1]; i++)
      leave(s, g->calls.at[g->back[i]].list);
    if (g->starts[node]) enter(s, g->starts[node] - 1);
  }
  free(s->entered);
  free(s->left);
  pv_frontier_free(&s->open);
}

static void find_creations(struct pv_fsm *f) {
  const struct pv_dgraph *g = f->graph;
  struct search s = {.g = g, .creates = true};
  f->create = s.distance = pv_frontier_put_creations(&s.open, g, f->error);
  if (f->create) run(&s);
}

struct pv_fsm *pv_fsm_new(struct pv_dgraph *g, const uint32_t *errors, uint32_t n) {
  pv_dgraph_backwards(g);
  struct pv_fsm *f = pv_alloc(sizeof *f);
  f->graph = g;
  f->error = pv_distances_none(g->n);
  struct search s = {.g = g, .distance = f->error};
  for (uint32_t i = 0; i < n; i++) {
    PV_REQUIRE(errors[i] < g->n, "errors are nodes of the graph");
    offer(&s, errors[i], 0);
  }
  run(&s);
  find_creations(f);
  return f;
}

void pv_fsm_free(struct pv_fsm *f) {
  if (!f) return;
  free(f->error);
  free(f->create);
  free(f);
}
