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

/* child and sibling: by state, the lists of children; 0 ends them. wanted: by state, is it or a
 * descendant open? Depths are counted, because those in the tree may be too large after a state got
 * a shorter path. */
struct opening {
  const struct pv_tree *t;
  const uint8_t *open;
  const pv_threads *asleep;
  uint32_t *child, *sibling;
  uint8_t *wanted;
};

static void open_state(const struct opening *o, uint32_t state, uint32_t depth,
                       struct pv_open_part *out) {
  const struct pv_tree_node *n = &o->t->nodes.at[state];
  struct pv_prefix x = {.depth = depth, .is_open = o->open[state]};
  if (state) x.choice = (struct pv_choice){n->thread, n->alternative};
  for (unsigned t = 0; o->asleep && x.is_open && t < PV_MAX_THREADS; t++) {
    if (!(o->asleep[state] & PV_THREAD_BIT(t))) continue;
    pv_vec_push(&out->sleeping, ((struct pv_choice){t, PV_EVERY_ALTERNATIVE}));
    x.sleeping++;
  }
  pv_vec_push(&out->prefixes, x);
}

static void open_states(const struct opening *o, struct pv_open_part *out) {
  struct place {
    uint32_t state, depth;
  };
  PV_VEC(struct place) todo = {0};
  pv_vec_push(&todo, (struct place){0});
  while (todo.n) {
    struct place p = pv_vec_pop(&todo);
    if (!o->wanted[p.state]) continue;
    open_state(o, p.state, p.depth, out);
    for (uint32_t c = o->child[p.state]; c; c = o->sibling[c])
      pv_vec_push(&todo, ((struct place){c, p.depth + 1}));
  }
  pv_vec_free(&todo);
}

void pv_tree_open(const struct pv_tree *t, const uint8_t *open, const pv_threads *asleep,
                  struct pv_open_part *out) {
  uint32_t n = t->nodes.n;
  struct opening o = {t,
                      open,
                      asleep,
                      pv_alloc((n + 1) * sizeof *o.child),
                      pv_alloc((n + 1) * sizeof *o.sibling),
                      pv_alloc(n + 1)};
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t x = i; open[i] && !o.wanted[x]; x = t->nodes.at[x].parent) o.wanted[x] = 1;
    if (!i) continue;
    uint32_t parent = t->nodes.at[i].parent;
    o.sibling[i] = o.child[parent];
    o.child[parent] = i;
  }
  open_states(&o, out);
  free(o.child);
  free(o.sibling);
  free(o.wanted);
}

void pv_tree_free(struct pv_tree *t, struct pv_search *s) {
  s->result->stats.parent_bytes = (uint64_t)t->nodes.cap * sizeof *t->nodes.at;
  pv_vec_free(&t->nodes);
}
