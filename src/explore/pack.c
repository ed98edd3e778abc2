#include "explore/pack.h"

#include <stdlib.h>
#include <string.h>

enum {
  CHUNK = 1 << 16,
  LONGEST = 3 + 10 * PV_PACK_WORDS + 1, /* bytes of a record */
};
_Static_assert(LONGEST <= 255, "the length of a record fits into a byte");

static uint8_t *put(uint8_t *to, uint64_t value) {
  for (; value >= 128; value >>= 7) *to++ = (uint8_t)(value | 128);
  *to++ = (uint8_t)value;
  return to;
}

static const uint8_t *get(const uint8_t *from, uint64_t *value) {
  *value = 0;
  for (unsigned shift = 0;; shift += 7) {
    *value |= (uint64_t)(*from & 127) << shift;
    if (*from++ < 128) return from;
  }
}

static struct pv_chunk *chunk_with_room(struct pv_pack *p) {
  if (p->used && p->chunks.at[p->used - 1].n + LONGEST <= CHUNK) return &p->chunks.at[p->used - 1];
  if (p->used == p->chunks.n) {
    struct pv_chunk fresh = {pv_alloc(CHUNK), 0};
    pv_vec_push(&p->chunks, fresh);
  }
  return &p->chunks.at[p->used++];
}

void pv_pack_push(struct pv_pack *p, const uint64_t *word, const uint64_t *reference, unsigned n) {
  PV_REQUIRE(n <= PV_PACK_WORDS, "a record is short");
  struct pv_chunk *c = chunk_with_room(p);
  uint64_t differ = 0;
  for (unsigned i = 0; i < n; i++)
    differ |= (uint64_t)(word[i] != (reference ? reference[i] : 0)) << i;
  uint8_t *begin = c->at + c->n, *to = put(begin, differ);
  for (; differ; differ &= differ - 1) {
    unsigned i = (unsigned)__builtin_ctzll(differ);
    uint64_t difference = word[i] - (reference ? reference[i] : 0);
    to = put(to, difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0));
  }
  *to = (uint8_t)(to - begin);
  c->n += (uint32_t)(to + 1 - begin);
  p->records++;
}

static void unpack(const uint8_t *from, uint64_t *word, const uint64_t *reference, unsigned n) {
  uint64_t differ, difference;
  from = get(from, &differ);
  for (unsigned i = 0; i < n; i++) word[i] = reference ? reference[i] : 0;
  for (; differ; differ &= differ - 1) {
    from = get(from, &difference);
    word[__builtin_ctzll(differ)] += difference >> 1 ^ (difference & 1 ? UINT64_MAX : 0);
  }
}

void pv_pack_pop(struct pv_pack *p, uint64_t *word, const uint64_t *reference, unsigned n) {
  PV_REQUIRE(p->records, "there is a record");
  struct pv_chunk *c = &p->chunks.at[p->used - 1];
  c->n -= c->at[c->n - 1] + 1u;
  unpack(c->at + c->n, word, reference, n);
  p->records--;
  if (c->n) return;
  if (p->used < p->chunks.n) free(pv_vec_pop(&p->chunks).at);
  p->used--;
}

struct pv_pack_reader pv_pack_read(const struct pv_pack *p) {
  return (struct pv_pack_reader){p, p->used, p->used ? p->chunks.at[p->used - 1].n : 0};
}

void pv_pack_next(struct pv_pack_reader *r, uint64_t *word, const uint64_t *reference, unsigned n) {
  const struct pv_chunk *c = &r->pack->chunks.at[r->chunk - 1];
  r->at -= c->at[r->at - 1] + 1u;
  unpack(c->at + r->at, word, reference, n);
  if (r->at || r->chunk == 1) return;
  r->chunk--;
  r->at = r->pack->chunks.at[r->chunk - 1].n;
}

uint64_t pv_pack_bytes(const struct pv_pack *p) {
  return (uint64_t)p->chunks.n * CHUNK + (uint64_t)p->chunks.cap * sizeof *p->chunks.at;
}

void pv_pack_free(struct pv_pack *p) {
  for (uint32_t i = 0; i < p->chunks.n; i++) free(p->chunks.at[i].at);
  pv_vec_free(&p->chunks);
  *p = (struct pv_pack){0};
}
