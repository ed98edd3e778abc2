/* store.h -- the state store: collapse compression over a lossless, growable tree table.
 *
 * A state is a head and two sequences of components. Each distinct component is interned as a leaf
 * (the collapse of paper 004). A sequence of leaf ids is folded pairwise into a binary tree, whose
 * inner nodes are interned as well (tree compression: Laarman, van de Pol, Weber, "Parallel
 * recursive state compression for free", SPIN 2011). A state is the head and the roots of the two
 * trees, in one word. Two states share all nodes except those above changed leaves. So a new state
 * usually costs one word and few nodes. The caller chooses the order of components such that
 * changes are spread evenly over the halves, and makes the component that changes most the head.
 *
 * The working state consists of the leaves and roots of its two trees. The store of a successor
 * visits only the nodes above changed leaves. A small cache maps a delta (a set of changes of one
 * half) and an old root to the new root; so a transition that is repeated elsewhere mostly needs
 * one look-up per half.
 *
 * Invariants. Leaf ids carry PV_LEAF_TAG, node ids do not. 0 means "nothing" for both, and a node
 * over two nothings is 0. Position 0 of a half is never 0 once anything is set. Hence the root
 * determines the height of its tree, and equal halves have equal roots whatever their height was
 * when they were stored. Deviations from the paper: sequences have variable length (trees grow by
 * doubling), and nodes and index are separate, so that the table can grow. */
#ifndef PV_STORE_H
#define PV_STORE_H

#include <stdatomic.h>

#include "base/base.h"

#define PV_LEAF_TAG    0x80000000u
#define PV_LEAF_ABSENT PV_LEAF_TAG /* reserved for the caller: no leaf has this id */

struct pv_store;
struct pv_leaf_set {
  uint32_t at, leaf; /* the leaf at a position */
};
/* A position in the journal of a half, and the root there. */
struct pv_half_mark {
  uint32_t n, epoch, top;
};
struct pv_half {            /* of the working state */
  uint32_t *leaf, cap;      /* by position; 0 from `cap` on */
  uint32_t top;             /* the root when last stored or loaded; 0: never */
  PV_VEC(uint32_t) changed; /* positions of leaves set since */
  /* old leaves, for undoing; when it becomes useless, it is emptied and a new epoch begins */
  PV_VEC(struct pv_leaf_set) journal;
  uint32_t epoch;
};

struct pv_store *pv_store_new(void);
/* From now on several threads may use the store concurrently, with all functions below except where
 * noted. Look-ups and insertions are lock-free. When a table is full, every thread waits at its
 * next insertion (pv_store_leaf, pv_store_put) until all threads have arrived; then the table
 * grows. So pv_store_begin must announce the number of threads before they start, and each thread
 * must call pv_store_end when it stops. */
void pv_store_share(struct pv_store *s);
void pv_store_begin(struct pv_store *s, unsigned threads);
void pv_store_end(struct pv_store *s);
void pv_store_free(struct pv_store *s);

/* Interns a component's bytes (n > 0). */
uint32_t pv_store_leaf(struct pv_store *s, const void *bytes, uint32_t n);
const uint8_t *pv_store_leaf_bytes(const struct pv_store *s, uint32_t leaf, uint32_t *n);

struct pv_made { /* cached: the delta turns root `from` into root `top` */
  uint32_t from, delta, top;
};
struct pv_delta { /* changes of one half: sets[at ... at + n) */
  uint32_t at, n;
};
/* The working state of one thread. */
struct pv_tuple {
  uint32_t head; /* a leaf */
  struct pv_half half[2];
  PV_VEC(struct pv_delta) deltas; /* by id, from 1 */
  PV_VEC(struct pv_leaf_set) sets;
  uint32_t *delta_slot, delta_slots; /* hash index of the deltas by content */
  struct pv_made *made;              /* cache */
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
/* Tells that the leaves have the values again that they had at the mark, which was taken when the
 * half was last stored or loaded. */
void pv_half_unchanged(struct pv_half *h, const struct pv_half_mark *then);
/* Called for a leaf of the working state that changed; half 2 is the head. */
typedef void pv_leaf_changed(void *user, unsigned half, uint32_t position, uint32_t leaf);
/* Can the half be restored to the mark by undoing, and is that cheaper than pv_store_get? */
bool pv_half_can_undo(const struct pv_half *h, const struct pv_half_mark *mark);
/* Restores it. Calls `changed` as pv_store_get does, once for each change undone; the last call for
 * a leaf has its final value. */
void pv_tuple_undo(struct pv_tuple *t, unsigned half, const struct pv_half_mark *mark,
                   pv_leaf_changed *changed, void *user);

/* Stores the working state. Returns its id; ids count from 0 in order of discovery. */
uint32_t pv_store_put(struct pv_store *s, struct pv_tuple *t, bool *is_new);
/* Loads `state` into the working state; calls `changed` for every leaf that differs from before. */
void pv_store_get(const struct pv_store *s, uint32_t state, struct pv_tuple *t,
                  pv_leaf_changed *changed, void *user);

/* Stores all states anew under the same ids. The leaf at half h and position p < n[h] moves to
 * to[h][p] (half | position << 1). Marks become invalid. Not for concurrent use, and not for a
 * store with notes. */
void pv_store_rearrange(struct pv_store *s, struct pv_tuple *t, uint32_t state,
                        uint32_t *const to[2], const uint32_t n[2]);

/* The changes that a frequent transition makes to the working state. */
struct pv_tuple_change {
  uint32_t head, delta[2];
};
/* The id of a set of changes of one half, valid until pv_tuple_forget_deltas. Sorts `sets`. 0: the
 * set is empty. */
uint32_t pv_tuple_delta(struct pv_tuple *t, struct pv_leaf_set *sets, uint32_t n);
/* Makes the ids of all sets of changes invalid. */
void pv_tuple_forget_deltas(struct pv_tuple *t);
struct pv_next { /* an unsaved successor of the working state */
  uint32_t head, top[2];
};
/* The successor of the working state, which was stored or loaded and does not change. */
struct pv_next pv_store_next(struct pv_store *s, struct pv_tuple *t,
                             const struct pv_tuple_change *move);
/* Stores a successor; as pv_store_put. */
uint32_t pv_store_put_next(struct pv_store *s, const struct pv_next *next, bool *is_new);
/* Tells that the working state is `next`; the caller has set all its leaves and the head. */
void pv_tuple_enter(struct pv_tuple *t, const struct pv_next *next);

struct pv_bytes;
/* How much a store contains. */
struct pv_store_mark {
  uint32_t leaves, nodes, roots;
};
struct pv_store_mark pv_store_mark(const struct pv_store *s);
/* Appends the leaves, nodes and states that came after the mark (a zero one: all), in the order of
 * their numbers. Not for concurrent use. */
void pv_store_write(const struct pv_store *s, struct pv_store_mark from, struct pv_str *out);
/* Adds what was written, from the beginning, to a store without states; then what was written from
 * there on, and so on. All gets the same numbers, if leaves that the store has already are the
 * first ones. Nothing else can be done with the store until pv_store_index. false: the bytes are
 * wrong, and so is the store from then on. */
bool pv_store_read(struct pv_store *s, struct pv_bytes *in);
bool pv_store_index(struct pv_store *s); /* after the last one; false: as above */

/* Reserves a word for every state, initially 0. Call it before the first state. */
void pv_store_keep_notes(struct pv_store *s);
/* The word of a state. */
_Atomic uint64_t *pv_store_note(const struct pv_store *s, uint32_t state);

uint32_t pv_store_states(const struct pv_store *s);
uint64_t pv_store_bytes(const struct pv_store *s); /* memory of all tables */
/* The size of an allocation that the next insertions will make; 0: no table grows soon. */
uint64_t pv_store_growth(struct pv_store *s);
struct pv_store_sizes {
  uint64_t leaves, leaf_bytes, nodes, node_bytes, roots, root_bytes;
};
struct pv_store_sizes pv_store_sizes(const struct pv_store *s);

#endif
