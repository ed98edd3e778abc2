/* frontier.h -- the queue of a search by increasing distance, shared by the files of this room.
 *
 * Nearly all edges cost 0 or 1. So most entries lie at the current distance or the next one; two
 * stacks hold these in O(1), and a binary heap holds entries that are farther away (passed calls).
 * A node may be in the queue several times; the user must check whether a better entry came before.
 */
#ifndef PV_DISTANCE_FRONTIER_H
#define PV_DISTANCE_FRONTIER_H

#include "distance/graph.h"

#include <stdlib.h>
#include <string.h>

struct pv_far {
  uint32_t distance, node;
};
struct pv_frontier {
  uint32_t at; /* the current distance; no nearer entry is added */
  PV_VEC(uint32_t) now, next;
  PV_VEC(struct pv_far) far;
};

/* Adds a node at a distance of at least f->at, not NONE. */
static inline void pv_frontier_put(struct pv_frontier *f, uint32_t node, uint32_t distance) {
  if (distance == f->at) {
    pv_vec_push(&f->now, node);
    return;
  }
  if (distance == f->at + 1) {
    pv_vec_push(&f->next, node);
    return;
  }
  struct pv_far x = {distance, node};
  pv_vec_push(&f->far, x);
  uint32_t i = f->far.n - 1;
  while (i && f->far.at[(i - 1) / 2].distance > distance) {
    f->far.at[i] = f->far.at[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  f->far.at[i] = x;
}

/* Adds it if it is nearer than the known distance, which is updated. */
static inline void pv_frontier_offer(struct pv_frontier *f, uint32_t *known, uint32_t node,
                                     uint32_t distance) {
  if (distance >= known[node]) return;
  known[node] = distance;
  pv_frontier_put(f, node, distance);
}

static inline struct pv_far pv_frontier_nearest(struct pv_frontier *f) {
  struct pv_far top = f->far.at[0], last = pv_vec_pop(&f->far);
  uint32_t i = 0, n = f->far.n;
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= n) break;
    if (child + 1 < n && f->far.at[child + 1].distance < f->far.at[child].distance) child++;
    if (f->far.at[child].distance >= last.distance) break;
    f->far.at[i] = f->far.at[child];
    i = child;
  }
  if (n) f->far.at[i] = last;
  return top;
}

/* Removes a nearest node; its distance is f->at. false: the queue is empty. */
static inline bool pv_frontier_take(struct pv_frontier *f, uint32_t *node) {
  while (!f->now.n) {
    if (!f->next.n && !f->far.n) return false;
    uint32_t at = f->next.n ? f->at + 1 : f->far.at[0].distance;
    if (f->far.n && f->far.at[0].distance < at) at = f->far.at[0].distance;
    uint32_t *spare = f->now.at, cap = f->now.cap;
    if (f->next.n && at == f->at + 1) {
      f->now.at = f->next.at, f->now.n = f->next.n, f->now.cap = f->next.cap;
      f->next.at = spare, f->next.n = 0, f->next.cap = cap;
    }
    f->at = at;
    while (f->far.n && f->far.at[0].distance <= at) {
      uint32_t far = pv_frontier_nearest(f).node;
      pv_vec_push(&f->now, far);
    }
  }
  *node = pv_vec_pop(&f->now);
  return true;
}

/* Empties the queue for another search. */
static inline void pv_frontier_reset(struct pv_frontier *f) {
  f->at = f->now.n = f->next.n = f->far.n = 0;
}
/* n distances of NONE; the caller frees them. */
static inline uint32_t *pv_distances_none(uint32_t n) {
  uint32_t *d = pv_alloc(((size_t)n + 1) * sizeof *d);
  memset(d, 0xff, ((size_t)n + 1) * sizeof *d);
  return d;
}

/* Adds the locations that create a thread from whose start an error is reachable, given the
 * distances to errors. Returns a new array with the distances of these locations, or NULL if there
 * is none. */
static inline uint32_t *pv_frontier_put_creations(struct pv_frontier *f, const struct pv_dgraph *g,
                                                  const uint32_t *error) {
  uint32_t *create = NULL;
  for (uint32_t i = 0; i < g->calls.n; i++) {
    const struct pv_dgraph_edge *c = &g->calls.at[i];
    const struct pv_dgraph_list *l = &g->lists.at[c->list];
    for (uint32_t k = 0; c->creates && k < l->n; k++) {
      uint32_t start = error[g->functions.at[g->callees.at[l->first + k]].start];
      if (start == PV_DISTANCE_NONE) continue;
      if (!create) create = pv_distances_none(g->n);
      pv_frontier_offer(f, create, c->from, pv_distance_add(start, c->cost));
    }
  }
  return create;
}
static inline void pv_frontier_free(struct pv_frontier *f) {
  pv_vec_free(&f->now);
  pv_vec_free(&f->next);
  pv_vec_free(&f->far);
}

#endif
