#include "explore/tree.h"

#include <stdlib.h>

void pv_tree_begin(struct pv_tree *t) {
  struct pv_tree_node none = {0};
  pv_vec_push(&t->nodes, none);
}

static struct pv_tree_node child(const struct pv_tree *t, uint32_t parent, struct pv_choice c) {
  return (struct pv_tree_node){parent, t->nodes.at[parent].depth + 1, (uint16_t)c.thread,
                               (uint16_t)c.alternative};
}

void pv_tree_add(struct pv_tree *t, uint32_t parent, struct pv_choice c) {
  struct pv_tree_node node = child(t, parent, c);
  pv_vec_push(&t->nodes, node);
}

bool pv_tree_shorten(struct pv_tree *t, uint32_t state, uint32_t parent, struct pv_choice c) {
  struct pv_tree_node node = child(t, parent, c);
  if (node.depth >= t->nodes.at[state].depth) return false;
  t->nodes.at[state] = node;
  return true;
}

void pv_tree_path(const struct pv_tree *t, uint32_t state, struct pv_search *s) {
  uint32_t n = 0;
  for (uint32_t x = state; x; x = t->nodes.at[x].parent) n++;
  s->path.n = 0;
  pv_vec_reserve(&s->path, n + 1);
  s->path.n = n;
  for (uint32_t x = state; x; x = t->nodes.at[x].parent)
    s->path.at[--n] = (struct pv_choice){t->nodes.at[x].thread, t->nodes.at[x].alternative};
}

void pv_tree_free(struct pv_tree *t, struct pv_search *s) {
  s->result->stats.parent_bytes = (uint64_t)t->nodes.cap * sizeof *t->nodes.at;
  pv_vec_free(&t->nodes);
}
