/* trail.h -- the working state of a search that cannot rebuild states from its store: the leaves of
 * all components, the fingerprint of the whole, and the trail, what was overwritten since the
 * initial state. The way back to any state of the path at hand is always there, and costs what
 * changed since. What of a state is looked up, its fingerprint, is independent of the trail. */
#ifndef PV_TRAIL_H
#define PV_TRAIL_H

#include "explore/pack.h"
#include "explore/visited.h"

struct pv_trail {
  PV_VEC(uint32_t) leaf; /* by component: an id of the store, or 0: absent */
  struct pv_fingerprint fingerprint;
  struct pv_pack overwritten; /* component, leaf that it had */
};

/* A component of the initial state. */
void pv_trail_begin(struct pv_trail *t, uint32_t component, uint32_t leaf);
void pv_trail_set(struct pv_trail *t, uint32_t component, uint32_t leaf);
static inline uint32_t pv_trail_get(const struct pv_trail *t, uint32_t component) {
  return component < t->leaf.n ? t->leaf.at[component] : 0;
}
/* The changes so far: where the state at hand is on the trail. */
static inline uint64_t pv_trail_mark(const struct pv_trail *t) {
  return t->overwritten.records;
}
/* Makes the working state again what it was at the mark, which it came from; tells of every
 * component put back, of one that changed more than once more than once, the right leaf last. */
void pv_trail_undo(struct pv_trail *t, uint64_t mark,
                   void (*changed)(void *user, uint32_t component, uint32_t leaf), void *user);
void pv_trail_free(struct pv_trail *t);

#endif
