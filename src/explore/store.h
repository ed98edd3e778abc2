/* store.h -- the state store: collapse compression over a tree-compressed, growable, lossless
 * table.
 *
 * A state is a head and two sequences of components. Each distinct component is interned once as a
 * *leaf* (paper 004's collapse). A sequence of leaf ids is folded pairwise into a binary tree whose
 * inner nodes are interned too (tree compression: Laarman, van de Pol, Weber, "Parallel recursive
 * state compression for free", SPIN 2011), and a state is the pair ((head, first tree), second
 * tree), so that two states share all but the path from a changed leaf to the root, and a new state
 * usually costs one new root and little else. How little depends on how evenly what varies is
 * spread over the two halves: the caller decides that, and makes the head what changes most. The
 * working trees remember their node ids: saving a state looks up only the paths above components
 * that changed, and loading one touches only the components that differ.
 *
 * Invariants: leaf ids carry PV_LEAF_TAG, node ids do not, 0 is "nothing" for both, and a node over
 * two nothings is 0. Position 0 of each half is never 0 once anything is set; hence the top node of
 * a half determines the height of its tree, and equal halves have equal tops whatever the height
 * was when they were stored. Deviation from the paper: variable length (trees grow by doubling),
 * nodes and index are separate so that the table can grow. */
#ifndef PV_STORE_H
#define PV_STORE_H

#include <stdatomic.h>

#include "base/base.h"

#define PV_LEAF_TAG    0x80000000u
#define PV_LEAF_ABSENT PV_LEAF_TAG /* no leaf has this id: for the caller's use */

struct pv_store;
struct pv_tree_change {
  uint32_t at, old; /* node[at] was `old` */
};
/* A place in a tree's journal, and what else of the tree belonged to it. */
struct pv_tree_mark {
  uint32_t n, epoch, used, span, top;
};
struct pv_tree { /* one half of the working state: heap order, node[1] is the top, leaves at node[m
                  * ...]
                  */
  uint32_t *node;
  uint32_t m;               /* leaves, a power of two */
  uint32_t used;            /* 1 + highest present leaf */
  uint32_t span;            /* leaves under the top when last stored or loaded; 0 = never */
  uint32_t top;             /* id of the top node then */
  PV_VEC(uint32_t) changed; /* positions of leaves set since the last put */
  /* what was overwritten, to be undone; emptied, with a new epoch, where it is of no use any more
   */
  PV_VEC(struct pv_tree_change) journal;
  uint32_t epoch;
};

struct pv_store *pv_store_new(void);
/* From now on several threads may use the store at a time: all calls below but those that say
 * otherwise. The tables are lock-free to look up and to add to; when one is full every thread waits
 * at its next call that may add (pv_store_leaf, pv_store_put) until all are there, and it grows.
 * Hence pv_store_begin tells how many threads there are, before they start, and each says
 * pv_store_end when it does not go on. */
void pv_store_share(struct pv_store *s);
void pv_store_begin(struct pv_store *s, unsigned threads);
void pv_store_end(struct pv_store *s);
void pv_store_free(struct pv_store *s);

/* Interns a component's bytes (n > 0). */
uint32_t pv_store_leaf(struct pv_store *s, const void *bytes, uint32_t n);
const uint8_t *pv_store_leaf_bytes(const struct pv_store *s, uint32_t leaf, uint32_t *n);

/* Sets one leaf of the working tree (0: absent); growing it as needed. */
void pv_tree_set(struct pv_tree *t, uint32_t position, uint32_t leaf);
static inline uint32_t pv_tree_get(const struct pv_tree *t, uint32_t position) {
  return position < t->m ? t->node[t->m + position] : 0;
}
/* The leaves are again what they were when the tree was last stored or loaded, where the mark was
 * taken. */
void pv_tree_unchanged(struct pv_tree *t, const struct pv_tree_mark *then);
void pv_tree_free(struct pv_tree *t);
/* The working state, of one thread. */
struct pv_tuple {
  uint32_t head; /* a leaf */
  struct pv_tree half[2];
  uint32_t left, left_head,
      left_top;             /* node over (head, top of half 0), as of the last put or get */
  PV_VEC(uint32_t) touched; /* scratch of pv_store_put */
};
void pv_tuple_free(struct pv_tuple *t);
static inline struct pv_tree_mark pv_tree_mark(const struct pv_tree *t) {
  return (struct pv_tree_mark){t->journal.n, t->epoch, t->used, t->span, t->top};
}
/* Tells of a leaf of the working state that is not what it was; half 2 is the head. */
typedef void pv_leaf_changed(void *user, unsigned half, uint32_t position, uint32_t leaf);
/* Can the half be made again what it was at the mark, and is that cheaper than pv_store_get? */
bool pv_tree_can_undo(const struct pv_tree *t, const struct pv_tree_mark *mark);
/* Does it, and tells of every leaf as pv_store_get does; of one that changed more than once more
 * than once, the right value last. */
void pv_tuple_undo(struct pv_tuple *t, unsigned half, const struct pv_tree_mark *mark,
                   pv_leaf_changed *changed, void *user);

/* The state of the working state: its id, numbered from 0 in order of discovery. */
uint32_t pv_store_put(struct pv_store *s, struct pv_tuple *t, bool *is_new);
/* Makes the working state that of `state`; calls changed() for every leaf that differs from before.
 */
void pv_store_get(const struct pv_store *s, uint32_t state, struct pv_tuple *t,
                  pv_leaf_changed *changed, void *user);

/* A word that is kept with every state, 0 at first, once that was asked for (before the first
 * state). */
void pv_store_keep_notes(struct pv_store *s);
_Atomic uint64_t *pv_store_note(const struct pv_store *s, uint32_t state);

uint32_t pv_store_states(const struct pv_store *s);
uint64_t pv_store_bytes(const struct pv_store *s); /* memory held by all tables */
/* Bytes that the next few additions will take at once; 0: no table grows soon. */
uint64_t pv_store_growth(struct pv_store *s);
struct pv_store_sizes {
  uint64_t leaves, leaf_bytes, nodes, node_bytes, roots, root_bytes;
};
struct pv_store_sizes pv_store_sizes(const struct pv_store *s);

#endif
