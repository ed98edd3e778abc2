/* store.h -- the state store: collapse compression over a tree-compressed, growable, lossless
 * table.
 *
 * A state is a head and two sequences of components. Each distinct component is interned once as a
 * *leaf* (paper 004's collapse). A sequence of leaf ids is folded pairwise into a binary tree whose
 * inner nodes are interned too (tree compression: Laarman, van de Pol, Weber, "Parallel recursive
 * state compression for free", SPIN 2011), and a state is the head and the tops of the two trees,
 * in one word, so that two states share all but the paths from changed leaves to the tops, and a
 * new state usually costs one new word and little else. How little depends on how evenly what
 * varies is spread over the two halves: the caller decides that, and makes the head what changes
 * most.
 *
 * The working state is its leaves and the tops of its two trees. A successor is found by the paths
 * above what changed; what a change made of a tree, by numbers of both, is remembered in a small
 * table, so that a transition done again elsewhere mostly needs one look for each half.
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
struct pv_leaf_set {
  uint32_t at, leaf; /* the leaf at this position */
};
/* A place in a half's journal, and its tree there. */
struct pv_half_mark {
  uint32_t n, epoch, top;
};
struct pv_half {            /* of the working state */
  uint32_t *leaf, cap;      /* by position; 0 from `cap` on */
  uint32_t top;             /* id of the tree's top when last stored or loaded; 0 = never */
  PV_VEC(uint32_t) changed; /* positions of leaves set since */
  /* what was overwritten, to be undone; emptied, with a new epoch, where it is of no use any more
   */
  PV_VEC(struct pv_leaf_set) journal;
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

/* The working state, of one thread. */
struct pv_made { /* a delta made this top of that one */
  uint32_t from, delta, top;
};
struct pv_delta { /* what a transition makes of one half: sets[at ... at + n) */
  uint32_t at, n;
};
struct pv_tuple {
  uint32_t head; /* a leaf */
  struct pv_half half[2];
  PV_VEC(struct pv_delta) deltas; /* by id, from 1 */
  PV_VEC(struct pv_leaf_set) sets;
  uint32_t *delta_slot, delta_slots; /* index of the deltas by content */
  struct pv_made *made;              /* a cache */
  PV_VEC(struct pv_leaf_set) scratch;
};
void pv_tuple_free(struct pv_tuple *t);
/* Sets one leaf of the working state (0: absent). */
void pv_tuple_set(struct pv_tuple *t, unsigned half, uint32_t position, uint32_t leaf);
static inline uint32_t pv_half_get(const struct pv_half *h, uint32_t position) {
  return position < h->cap ? h->leaf[position] : 0;
}
static inline struct pv_half_mark pv_half_mark(const struct pv_half *h) {
  return (struct pv_half_mark){h->journal.n, h->epoch, h->top};
}
/* The leaves are again what they were when the half was last stored or loaded, where the mark was
 * taken. */
void pv_half_unchanged(struct pv_half *h, const struct pv_half_mark *then);
/* Tells of a leaf of the working state that is not what it was; half 2 is the head. */
typedef void pv_leaf_changed(void *user, unsigned half, uint32_t position, uint32_t leaf);
/* Can the half be made again what it was at the mark, and is that cheaper than pv_store_get? */
bool pv_half_can_undo(const struct pv_half *h, const struct pv_half_mark *mark);
/* Does it, and tells of every leaf as pv_store_get does; of one that changed more than once more
 * than once, the right value last. */
void pv_tuple_undo(struct pv_tuple *t, unsigned half, const struct pv_half_mark *mark,
                   pv_leaf_changed *changed, void *user);

/* The state of the working state: its id, numbered from 0 in order of discovery. */
uint32_t pv_store_put(struct pv_store *s, struct pv_tuple *t, bool *is_new);
/* Makes the working state that of `state`; calls changed() for every leaf that differs from before.
 */
void pv_store_get(const struct pv_store *s, uint32_t state, struct pv_tuple *t,
                  pv_leaf_changed *changed, void *user);

/* Stores all states anew, under the same ids, with the leaf of half h and position p at place
 * to[h][p] (half, position << 1), p < n[h]. Marks taken before cannot be undone to. Only for a
 * store that one thread uses and that keeps no notes. */
void pv_store_rearrange(struct pv_store *s, struct pv_tuple *t, uint32_t state,
                        uint32_t *const to[2], const uint32_t n[2]);

/* What a transition that is done again and again makes of the working state. */
struct pv_move {
  uint32_t head, delta[2];
};
/* The number of these changes of one half, for as long as the tuple's deltas are not forgotten;
 * sorts them. 0: none. */
uint32_t pv_tuple_delta(struct pv_tuple *t, struct pv_leaf_set *sets, uint32_t n);
void pv_tuple_forget_deltas(struct pv_tuple *t);
struct pv_next { /* a successor of the working state */
  uint32_t head, top[2];
};
/* The state that the move leads to from the working state, which was stored or loaded and stays
 * what it is. */
struct pv_next pv_store_next(struct pv_store *s, struct pv_tuple *t, const struct pv_move *move);
uint32_t pv_store_put_next(struct pv_store *s, const struct pv_next *next, bool *is_new);
/* The working state becomes `next`, once its leaves, head and all, have been set. */
void pv_tuple_enter(struct pv_tuple *t, const struct pv_next *next);

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
