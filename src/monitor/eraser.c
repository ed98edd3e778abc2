/* eraser.c -- is every shared variable protected by a lock?
 *
 * Each byte has a state and, once a second thread has accessed it, a set of candidate locks: those
 * that were held at all its accesses since. A byte that several threads access and one writes, with
 * no candidate left, is a warning. It may be a false one: other synchronisation than by locks is
 * not seen.
 *
 * Reference: Visser et al., ASE Journal 2003, section 3.3.4, after Savage, Burrows, Nelson,
 * Sobalvarro, Anderson, "Eraser", TOCS 15(4), 1997. Where the former is silent: reads of a virgin
 * byte are ignored; in state *shared* a write by any thread leads on, as in the latter; the first
 * refinement sets the candidates. A writer's candidates are the locks held for writing. Atomic
 * operations are no accesses. */
#include <stdlib.h>
#include <string.h>

#include "monitor/monitor.h"

enum state { VIRGIN, EXCLUSIVE, SHARED, SHARED_MODIFIED };
struct byte {
  enum state state;
  bool refined, warned, wrote; /* wrote: the last access was a write */
  uint32_t thread, place;      /* of the first access while exclusive, of the last one after */
  PV_VEC(uint64_t) candidates;
  PV_VEC(uint64_t) held; /* at the last access */
};
struct eraser {
  struct pv_holdings holdings;
  struct pv_map index;
  PV_VEC(struct byte) bytes;
};

static struct byte *byte_at(struct eraser *s, uint64_t address) {
  bool is_new;
  uint32_t i = *pv_map_put(&s->index, &address, sizeof address, s->bytes.n, &is_new);
  if (is_new) pv_vec_push(&s->bytes, ((struct byte){0}));
  return &s->bytes.at[i];
}

static bool holds(const struct pv_holdings *h, uint32_t thread, uint64_t lock, bool writes) {
  for (uint32_t i = 0; i < h->of[thread].n; i++)
    if (h->of[thread].at[i].lock == lock) return !(writes && h->of[thread].at[i].shared);
  return false;
}

static void refine(const struct eraser *s, struct byte *b, const struct pv_observed *e) {
  bool writes = e->kind == PV_OBSERVED_WRITE;
  uint32_t kept = 0;
  if (!b->refined) {
    b->refined = true;
    for (uint32_t i = 0; i < s->holdings.of[e->thread].n; i++)
      pv_vec_push(&b->candidates, s->holdings.of[e->thread].at[i].lock);
  }
  for (uint32_t i = 0; i < b->candidates.n; i++)
    if (holds(&s->holdings, e->thread, b->candidates.at[i], writes))
      b->candidates.at[kept++] = b->candidates.at[i];
  b->candidates.n = kept;
}

static enum state next_state(const struct byte *b, const struct pv_observed *e) {
  bool writes = e->kind == PV_OBSERVED_WRITE, other = e->thread != b->thread;
  switch (b->state) {
  case VIRGIN: return writes ? EXCLUSIVE : VIRGIN;
  case EXCLUSIVE: return !other ? EXCLUSIVE : writes ? SHARED_MODIFIED : SHARED;
  case SHARED: return writes ? SHARED_MODIFIED : SHARED;
  default: return b->state;
  }
}

static void warn(const struct eraser *s, struct byte *b, const struct pv_observed *e,
                 struct pv_warnings *out) {
  struct pv_warning w = {.kind = PV_WARNING_LOCKSET, .at = e->at, .n = 2};
  w.side[0] = (struct pv_warning_side){.thread = b->thread, .place = b->place, .writes = b->wrote};
  for (uint32_t i = 0; i < b->held.n; i++) pv_vec_push(&w.side[0].held, b->held.at[i]);
  w.side[1] = (struct pv_warning_side){
      .thread = e->thread, .place = e->place, .writes = e->kind == PV_OBSERVED_WRITE};
  pv_holdings_list(&s->holdings, e->thread, &w.side[1]);
  b->warned = true;
  pv_warn(out, &w);
}

static void access_byte(struct eraser *s, struct byte *b, const struct pv_observed *e,
                        struct pv_warnings *out) {
  enum state was = b->state;
  b->state = next_state(b, e);
  if (b->state == VIRGIN || b->warned) return;
  if (b->state >= SHARED) {
    refine(s, b, e);
    if (b->state == SHARED_MODIFIED && !b->candidates.n) {
      warn(s, b, e, out);
      return;
    }
  }
  if (was == EXCLUSIVE && b->state == EXCLUSIVE && b->wrote) return; /* the write is kept */
  b->thread = b->state >= SHARED || was == VIRGIN ? e->thread : b->thread;
  b->place = e->place;
  b->wrote = e->kind == PV_OBSERVED_WRITE;
  b->held.n = 0;
  for (uint32_t i = 0; i < s->holdings.of[e->thread].n; i++)
    pv_vec_push(&b->held, s->holdings.of[e->thread].at[i].lock);
}

static void tell(void *self, const struct pv_observed *e, struct pv_warnings *out) {
  struct eraser *s = self;
  pv_holdings_tell(&s->holdings, e);
  bool access = (e->kind == PV_OBSERVED_READ || e->kind == PV_OBSERVED_WRITE) && !e->atomic;
  for (uint64_t i = 0; i < e->bytes && access; i++) access_byte(s, byte_at(s, e->at + i), e, out);
  for (uint64_t i = 0; i < e->bytes && e->kind == PV_OBSERVED_FORGET; i++) {
    uint64_t address = e->at + i;
    const uint32_t *known = pv_map_get(&s->index, &address, sizeof address);
    if (!known) continue;
    struct byte *b = &s->bytes.at[*known];
    pv_vec_free(&b->candidates);
    pv_vec_free(&b->held);
    *b = (struct byte){0};
  }
}

static void *begin(void) {
  return pv_alloc(sizeof(struct eraser));
}

static void end(void *self, struct pv_warnings *out) {
  (void)self, (void)out;
}

static void release(void *self) {
  struct eraser *s = self;
  for (uint32_t i = 0; i < s->bytes.n; i++) {
    pv_vec_free(&s->bytes.at[i].candidates);
    pv_vec_free(&s->bytes.at[i].held);
  }
  pv_vec_free(&s->bytes);
  pv_map_free(&s->index);
  pv_holdings_free(&s->holdings);
  free(s);
}

const struct pv_runtime_analysis pv_eraser = {"eraser", begin, tell, end, release};
