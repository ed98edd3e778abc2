/* store_internal.h -- what the two files of the store share.
 *
 *    store.c         states and their components; insertion by several threads
 *    store_bytes.c   the store as bytes, for checkpoints */
#ifndef PV_STORE_INTERNAL_H
#define PV_STORE_INTERNAL_H

#include "explore/store.h"

#include <pthread.h>
#include <stdatomic.h>

/* A set of 64-bit pairs, numbered from 1 in order of insertion. The index is an open-addressing
 * table of these numbers. The bits of a slot that the number does not need hold a tag of the pair's
 * hash. So the pair itself, whose access is a cache miss, is almost always the right one. */
struct pairs {
  uint64_t *at; /* at[0] unused */
  _Atomic uint32_t n;
  uint32_t cap;
  /* Tag and number; 0 = free; all bits of the number set and no tag: being filled. */
  _Atomic uint32_t *slot;
  uint32_t slots, number_mask;
};

struct leaf {
  uint64_t offset;
  uint32_t n, hash;
};

/* The bytes of components are in chunks of 4 MiB that never move. Of the last one only the part in
 * use is touched. */
#define CHUNK_BITS 22

struct pv_store {
  PV_VEC(struct leaf) leaves; /* leaf id & ~tag = index + 1 */
  uint32_t *leaf_slot, leaf_slots;
  PV_VEC(uint8_t *) chunks;
  uint64_t chunk_used; /* number of bytes used in all chunks */
  struct pairs nodes, roots;
  _Atomic uint64_t *note; /* by root, roots.cap entries; NULL: not kept */
  bool keeps_notes, shared;
  pthread_mutex_t leaf_lock;
  struct gate { /* all threads wait here while a table grows */
    pthread_mutex_t lock;
    pthread_cond_t open;
    unsigned threads, waiting;
    uint64_t opened;
    atomic_bool closed;
  } gate;
};

/* The number of free entries required before an insertion, enough for all threads that may insert
 * at the same time. */
enum { MARGIN = 66 };

static inline bool has_room(uint32_t slots, uint32_t n) {
  return (uint64_t)(n + MARGIN) * 4 <= (uint64_t)slots * 3;
}

static inline uint8_t *bytes_at(const struct pv_store *s, uint64_t offset) {
  return s->chunks.at[offset >> CHUNK_BITS] + (offset & (((uint64_t)1 << CHUNK_BITS) - 1));
}

/* A state in one word: usually its head and its two roots, in 15, 24 and 24 bits. If one of them
 * needs more, INDIRECT is set, and the word holds the node for head and first root, and the second
 * root. */
enum { TOP_BITS = 24, HEAD_BITS = 15 };
#define INDIRECT (UINT64_C(1) << 63)
_Static_assert(HEAD_BITS + 2 * TOP_BITS < 64, "a word has room for a state");

static inline struct pv_next root_parts(const struct pv_store *s, uint64_t root) {
  const uint32_t top = ((uint32_t)1 << TOP_BITS) - 1;
  if (!(root & INDIRECT))
    return (struct pv_next){(uint32_t)(root >> 2 * TOP_BITS) | PV_LEAF_TAG,
                            {(uint32_t)(root >> TOP_BITS) & top, (uint32_t)root & top}};
  uint64_t left = s->nodes.at[(root & ~INDIRECT) >> 32];
  return (struct pv_next){(uint32_t)(left >> 32), {(uint32_t)left, (uint32_t)root}};
}

/* Enlarges the table of pairs by eighths, because these arrays take most of the memory. */
void pv_pairs_extend(struct pairs *p, uint32_t n);
/* Makes an empty index. */
void pv_pairs_resize(struct pairs *p, uint32_t slots);
/* Enters the pairs at[1 .. n] into an empty index. Returns false if two pairs are equal. */
bool pv_pairs_enter(struct pairs *p, uint32_t n);

#endif
