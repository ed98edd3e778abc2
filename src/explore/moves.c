#include "explore/moves.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 }; /* pending operations are allocated in blocks that never move */

struct slot {
  uint64_t key; /* leaf of the top frame, thread; 0 = free */
  struct entry *entry;
};
struct entry {
  struct pv_pending pending;
  uint32_t number;
};
/* A cache of the alternatives of primitives, by the scheduler's state and the pending operation. */
struct alternatives {
  uint32_t head, entry;
  uint16_t alternatives, progress;
};
enum { WAYS = 1 << 13 };
struct pv_moves_cache {
  struct pv_space *space;
  struct slot *slot;
  uint32_t mask, n;
  struct alternatives *alternatives;
  PV_VEC(struct entry *) blocks;
  struct { /* the last lookups, by thread */
    uint32_t leaf;
    const struct entry *entry;
  } last[PV_MAX_THREADS];
};

struct pv_moves_cache *pv_moves_cache_new(struct pv_space *space) {
  struct pv_moves_cache *c = pv_alloc(sizeof *c);
  c->space = space;
  c->mask = 1023;
  c->slot = pv_alloc((c->mask + 1) * sizeof *c->slot);
  c->alternatives = pv_alloc(WAYS * sizeof *c->alternatives);
  return c;
}

void pv_moves_cache_free(struct pv_moves_cache *c) {
  if (!c) return;
  for (uint32_t i = 0; i < c->blocks.n; i++) free(c->blocks.at[i]);
  pv_vec_free(&c->blocks);
  free(c->slot);
  free(c->alternatives);
  free(c);
}

static uint32_t hash(uint64_t key) {
  return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

static void grow(struct pv_moves_cache *c) {
  uint32_t mask = c->mask * 2 + 1;
  struct slot *slot = pv_alloc(((size_t)mask + 1) * sizeof *slot);
  for (uint32_t i = 0; i <= c->mask; i++) {
    if (!c->slot[i].key) continue;
    uint32_t k = hash(c->slot[i].key) & mask;
    while (slot[k].key) k = (k + 1) & mask;
    slot[k] = c->slot[i];
  }
  free(c->slot);
  c->slot = slot;
  c->mask = mask;
}

uint64_t pv_moves_growth(const struct pv_moves_cache *c) {
  bool soon = (c->n + c->n / 32 + 64) * 2 > c->mask;
  /* The old slots are still needed while it grows. */
  return soon ? ((uint64_t)c->mask + 1) * 2 * sizeof *c->slot : 0;
}

static struct entry *new_entry(struct pv_moves_cache *c) {
  if (c->n % BLOCK == 0) pv_vec_push(&c->blocks, pv_alloc(BLOCK * sizeof(struct entry)));
  struct entry *e = &pv_vec_last(&c->blocks)[c->n % BLOCK];
  e->number = ++c->n;
  return e;
}

static const struct entry *remember(struct pv_moves_cache *c, unsigned thread, uint32_t leaf,
                                    const struct entry *e) {
  c->last[thread].leaf = leaf;
  return c->last[thread].entry = e;
}

static const struct entry *look_up(struct pv_moves_cache *c, unsigned thread) {
  uint32_t leaf = c->space->top_leaf[thread];
  if (c->last[thread].leaf == leaf) return c->last[thread].entry;
  uint64_t key = (uint64_t)leaf << 8 | thread;
  uint32_t i = hash(key) & c->mask;
  for (; c->slot[i].key; i = (i + 1) & c->mask)
    if (c->slot[i].key == key) return remember(c, thread, leaf, c->slot[i].entry);
  struct entry *e = new_entry(c);
  pv_space_load(c->space);
  pv_vm_pending(c->space->vm, thread, &e->pending);
  c->slot[i] = (struct slot){key, e};
  if (c->n * 2 > c->mask) grow(c);
  return remember(c, thread, leaf, e);
}

static struct alternatives alternatives_of(struct pv_moves_cache *c, unsigned thread,
                                           const struct entry *e) {
  uint32_t head = c->space->tuple.head;
  const struct pv_pending *p = &e->pending;
  struct alternatives now = {head, e->number, (uint16_t)p->alternatives, (uint16_t)p->progress};
  /* The number of alternatives never changes. */
  if (p->kind != PV_PEND_PRIM && p->kind != PV_PEND_ALLOC) return now;
  bool kept = p->kind == PV_PEND_PRIM; /* ALLOC: it depends on the whole memory */
  struct alternatives *w = &c->alternatives[hash((uint64_t)head << 32 | e->number) % WAYS];
  if (kept && w->head == head && w->entry == e->number) return *w;
  unsigned progress;
  pv_space_load(c->space);
  now.alternatives = (uint16_t)pv_vm_alternatives(c->space->vm, thread, p, &progress);
  now.progress = (uint16_t)progress;
  if (kept) *w = now;
  return now;
}

const struct pv_pending *pv_moves_next(struct pv_moves_cache *c, unsigned thread) {
  return &look_up(c, thread)->pending;
}

unsigned pv_moves_alternatives(struct pv_moves_cache *c, unsigned thread, unsigned *progress) {
  struct alternatives w = alternatives_of(c, thread, look_up(c, thread));
  *progress = w.progress;
  return w.alternatives;
}

void pv_moves_find(struct pv_moves_cache *c, struct pv_moves *out) {
  struct pv_vm *vm = c->space->vm;
  out->n = pv_vm_threads(vm);
  out->alive = out->able = out->lively = 0;
  out->exclusive = pv_vm_exclusive(vm);
  pv_threads may_run = pv_vm_may_run(vm);
  PV_FOR_THREADS(t, pv_vm_alive_set(vm)) {
    if (!c->space->depth[t]) continue;
    const struct entry *e = look_up(c, t);
    out->next[t] = &e->pending;
    if (e->pending.kind == PV_PEND_NONE) continue;
    struct alternatives w = alternatives_of(c, t, e);
    out->alive |= PV_THREAD_BIT(t);
    out->alternatives[t] = w.alternatives;
    out->progress[t] = w.progress;
    if (out->exclusive != PV_NO_THREAD && out->exclusive != t) continue;
    if (!(may_run & PV_THREAD_BIT(t))) continue;
    if (w.alternatives) out->able |= PV_THREAD_BIT(t);
    if (w.progress) out->lively |= PV_THREAD_BIT(t);
  }
}

/* ---- what a state shows ---------------------------------------------------------------------- */
static bool any(void *user, unsigned a, unsigned b) {
  (void)user, (void)a, (void)b;
  return true;
}

void pv_space_errors(struct pv_space *s, const struct pv_task *task, const struct pv_moves *m,
                     void (*found)(void *user, const struct pv_event *event), void *user) {
  pv_properties asked = task->properties;
  bool look = (asked & PV_PROP_BIT(PV_PROP_INVARIANT)) ||
              (asked & PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION) && m->alive & (m->alive - 1)) ||
              ((asked & PV_PROP_BIT(PV_PROP_NO_DEADLOCK)) && pv_moves_stuck(s->vm, m)) ||
              ((asked & PV_PROP_BIT(PV_PROP_NO_DATA_RACE)) && pv_moves_conflict(m, any, NULL));
  if (!look) return;
  pv_space_load(s);
  pv_state_errors(s->vm, task, m, found, user);
  pv_space_asked(s);
}
