/* trail.h -- the working state of a search that cannot rebuild states from its store.
 *
 * It consists of the leaves of all components, the fingerprint of the whole state, and the trail:
 * an undo log of all changes since the initial state. Any state on the current path can be restored
 * at the cost of the changes since. The fingerprint, which identifies the state, does not depend on
 * the trail. */
#ifndef PV_TRAIL_H
#define PV_TRAIL_H

#include "explore/pack.h"
#include "explore/visited.h"

struct pv_trail {
  PV_VEC(uint32_t) leaf; /* by component: a leaf of the store; 0: absent */
  struct pv_fingerprint fingerprint;
  struct pv_pack overwritten; /* the undo log: component, old leaf */
};

/* Adds a component of the initial state. */
void pv_trail_begin(struct pv_trail *t, uint32_t component, uint32_t leaf);
void pv_trail_set(struct pv_trail *t, uint32_t component, uint32_t leaf);
static inline uint32_t pv_trail_get(const struct pv_trail *t, uint32_t component) {
  return component < t->leaf.n ? t->leaf.at[component] : 0;
}
/* The current position in the undo log. */
static inline uint64_t pv_trail_mark(const struct pv_trail *t) {
  return t->overwritten.records;
}
/* Restores the working state at the mark, which must lie on the current path. Calls `changed` for
 * every change undone, the latest first; so the last call for a component has its final leaf. */
void pv_trail_undo(struct pv_trail *t, uint64_t mark,
                   void (*changed)(void *user, uint32_t component, uint32_t leaf), void *user);
void pv_trail_free(struct pv_trail *t);

#endif
