/* pack.h -- a stack of records in few bytes: what a deep search keeps for each state of its path.
 *
 * A record is a few 64-bit words. Each is kept as its difference from a reference, for which the
 * caller gives the same words when it pushes and when it pops: those of the record above, which
 * differ little. A record is a bit for each word that differs, their differences (both as bytes of
 * seven bits, the lowest first; the difference with its sign in the lowest bit) and the number of
 * all these bytes. Records lie in chunks that never move, so that the stack grows by a chunk at a
 * time, whatever its height. */
#ifndef PV_PACK_H
#define PV_PACK_H

#include "base/base.h"

enum { PV_PACK_WORDS = 20 }; /* in a record at most */

struct pv_chunk {
  uint8_t *at; /* owned */
  uint32_t n;  /* bytes used */
};
/* Zero-initialised is empty. */
struct pv_pack {
  PV_VEC(struct pv_chunk) chunks;
  uint32_t used; /* chunks; of the others one is kept for later */
  uint64_t records;
};

/* Pushes a record of `n` words; a reference of NULL is all 0. */
void pv_pack_push(struct pv_pack *p, const uint64_t *word, const uint64_t *reference, unsigned n);
/* Pops the last record, which was pushed with this reference and number of words. */
void pv_pack_pop(struct pv_pack *p, uint64_t *word, const uint64_t *reference, unsigned n);
/* Reads records from the last one down without popping. */
struct pv_pack_reader {
  const struct pv_pack *pack;
  uint32_t chunk, at; /* the record before this byte is the next one */
};
struct pv_pack_reader pv_pack_read(const struct pv_pack *p);
/* As pv_pack_pop; there is a record left. */
void pv_pack_next(struct pv_pack_reader *r, uint64_t *word, const uint64_t *reference, unsigned n);
uint64_t pv_pack_bytes(const struct pv_pack *p); /* memory held */
void pv_pack_free(struct pv_pack *p);

#endif
