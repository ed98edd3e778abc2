#include "explore/trail.h"

#include <stdlib.h>

#include "explore/store.h"

static uint32_t *leaf_at(struct pv_trail *t, uint32_t component) {
  while (t->leaf.n <= component) pv_vec_push(&t->leaf, 0);
  return &t->leaf.at[component];
}

void pv_trail_begin(struct pv_trail *t, uint32_t component, uint32_t leaf) {
  *leaf_at(t, component) = leaf;
}

void pv_trail_set(struct pv_trail *t, uint32_t component, uint32_t leaf) {
  uint32_t *at = leaf_at(t, component);
  if (*at == leaf) return;
  uint64_t change[2] = {component, *at & ~PV_LEAF_TAG}; /* takes one byte fewer; 0 stays 0 */
  pv_pack_push(&t->overwritten, change, NULL, 2);
  pv_fingerprint_change(&t->fingerprint, component, *at, leaf);
  *at = leaf;
}

void pv_trail_undo(struct pv_trail *t, uint64_t mark,
                   void (*changed)(void *user, uint32_t component, uint32_t leaf), void *user) {
  while (t->overwritten.records > mark) {
    uint64_t change[2];
    pv_pack_pop(&t->overwritten, change, NULL, 2);
    uint32_t component = (uint32_t)change[0], leaf = (uint32_t)change[1];
    if (leaf) leaf |= PV_LEAF_TAG;
    pv_fingerprint_change(&t->fingerprint, component, t->leaf.at[component], leaf);
    t->leaf.at[component] = leaf;
    changed(user, component, leaf);
  }
}

void pv_trail_free(struct pv_trail *t) {
  pv_vec_free(&t->leaf);
  pv_pack_free(&t->overwritten);
  *t = (struct pv_trail){0};
}
