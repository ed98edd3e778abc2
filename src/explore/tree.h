/* tree.h -- for each state the transition by which it was first reached (or, where orders ask for
 * short paths, by which the shortest path known comes), so that orders whose states wait in queues
 * can tell the path to any of them. 12 bytes a state. */
#ifndef PV_TREE_H
#define PV_TREE_H

#include "explore/search.h"

struct pv_tree_node {
  uint32_t parent, depth;       /* depth: transitions from the initial state */
  uint16_t thread, alternative; /* of the last of them */
};
struct pv_tree {
  PV_VEC(struct pv_tree_node) nodes; /* by state */
};

void pv_tree_begin(struct pv_tree *t); /* with the initial state, which is state 0 */
/* The next state, new, was reached by that transition of `parent`. */
void pv_tree_add(struct pv_tree *t, uint32_t parent, struct pv_choice c);
/* A state that is there was, too: true if the way is shorter than what was known, and taken. */
bool pv_tree_shorten(struct pv_tree *t, uint32_t state, uint32_t parent, struct pv_choice c);
/* The path to a state becomes the search's. */
void pv_tree_path(const struct pv_tree *t, uint32_t state, struct pv_search *s);
/* Notes the size in the search's figures. */
void pv_tree_free(struct pv_tree *t, struct pv_search *s);

#endif
