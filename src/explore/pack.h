/* pack.h -- a compressed stack of records: what a deep search stores for each state on its path.
 *
 * A record consists of a few 64-bit words. It is stored as the difference from a reference record.
 * The caller passes the same reference when it pushes and when it pops, usually the record below,
 * because neighbouring records are similar. The encoding is: a bit mask of the words that differ,
 * their differences as variable-length integers (seven bits a byte, lowest first, the sign in the
 * lowest bit), and the number of these bytes. Chunks of memory never move; so the stack grows by
 * one chunk at a time, whatever its height. */
#ifndef PV_PACK_H
#define PV_PACK_H

#include "base/base.h"

enum { PV_PACK_WORDS = 20 }; /* maximum per record */

struct pv_chunk {
  uint8_t *at; /* owned */
  uint32_t n;  /* bytes used */
};
/* Zero-initialised it is empty. */
struct pv_pack {
  PV_VEC(struct pv_chunk) chunks;
  uint32_t used; /* chunks in use; one more may be kept for reuse */
  uint64_t records;
};

/* Pushes a record of `n` words; a NULL reference stands for zeros. */
void pv_pack_push(struct pv_pack *p, const uint64_t *word, const uint64_t *reference, unsigned n);
/* Pops the top record. It must have been pushed with the same reference and number of words. */
void pv_pack_pop(struct pv_pack *p, uint64_t *word, const uint64_t *reference, unsigned n);
/* Reads records from the top down without popping them. */
struct pv_pack_reader {
  const struct pv_pack *pack;
  uint32_t chunk, at; /* the next record ends before this byte */
};
struct pv_pack_reader pv_pack_read(const struct pv_pack *p);
/* Like pv_pack_pop. There must be a record left. */
void pv_pack_next(struct pv_pack_reader *r, uint64_t *word, const uint64_t *reference, unsigned n);
uint64_t pv_pack_bytes(const struct pv_pack *p); /* memory held */
void pv_pack_free(struct pv_pack *p);

#endif
