/* tree.h -- the search tree: for each state the transition by which it was first reached or, for
 * searches that need short paths, the last transition of its shortest known path. It reconstructs
 * the path to any state. 12 bytes per state. */
#ifndef PV_TREE_H
#define PV_TREE_H

#include "explore/search.h"

struct pv_tree_node {
  uint32_t parent, depth;       /* depth: transitions from the initial state */
  uint16_t thread, alternative; /* of the last transition */
};
struct pv_tree {
  PV_VEC(struct pv_tree_node) nodes; /* by state */
};

void pv_tree_begin(struct pv_tree *t); /* the root is the initial state, state 0 */
/* Adds the next new state, which transition c of `parent` reached. */
void pv_tree_add(struct pv_tree *t, uint32_t parent, struct pv_choice c);
/* Transition c of `parent` reached a known state. Returns true if this path is shorter; then it
 * replaces the known one. */
bool pv_tree_shorten(struct pv_tree *t, uint32_t state, uint32_t parent, struct pv_choice c);
/* Stores the path to a state in s->path. */
void pv_tree_path(const struct pv_tree *t, uint32_t state, struct pv_search *s);
/* Adds to a frontier the paths to the states that are open, with the threads asleep there. `open`,
 * `asleep`: by state; asleep may be NULL. */
void pv_tree_open(const struct pv_tree *t, const uint8_t *open, const pv_threads *asleep,
                  struct pv_open_part *out);
/* Frees the tree and adds its size to the statistics. */
void pv_tree_free(struct pv_tree *t, struct pv_search *s);

#endif
