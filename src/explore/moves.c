#include "explore/moves.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 }; /* pending operations are allocated in blocks that never move */

struct slot {
  uint64_t key; /* leaf of the top frame, thread; 0 = free */
  const struct pv_pending *pending;
};
struct pv_moves_cache {
  struct pv_space *space;
  struct slot *slot;
  uint32_t mask, n;
  PV_VEC(struct pv_pending *) blocks;
};

struct pv_moves_cache *pv_moves_cache_new(struct pv_space *space) {
  struct pv_moves_cache *c = pv_alloc(sizeof *c);
  c->space = space;
  c->mask = 1023;
  c->slot = pv_alloc((c->mask + 1) * sizeof *c->slot);
  return c;
}

void pv_moves_cache_free(struct pv_moves_cache *c) {
  if (!c) return;
  for (uint32_t i = 0; i < c->blocks.n; i++) free(c->blocks.at[i]);
  pv_vec_free(&c->blocks);
  free(c->slot);
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

static struct pv_pending *new_pending(struct pv_moves_cache *c) {
  if (c->n % BLOCK == 0) pv_vec_push(&c->blocks, pv_alloc(BLOCK * sizeof(struct pv_pending)));
  return &pv_vec_last(&c->blocks)[c->n++ % BLOCK];
}

/* What the thread is parked at. */
static const struct pv_pending *look_up(struct pv_moves_cache *c, unsigned thread) {
  uint32_t leaf = pv_space_leaf(c->space, pv_vm_top_component(c->space->vm, thread));
  uint64_t key = (uint64_t)leaf << 8 | thread;
  uint32_t i = hash(key) & c->mask;
  for (; c->slot[i].key; i = (i + 1) & c->mask)
    if (c->slot[i].key == key) return c->slot[i].pending;
  struct pv_pending *p = new_pending(c);
  pv_vm_pending(c->space->vm, thread, p);
  c->slot[i] = (struct slot){key, p};
  if (c->n * 2 > c->mask) grow(c);
  return p;
}

void pv_moves_find(struct pv_moves_cache *c, struct pv_moves *out) {
  struct pv_vm *vm = c->space->vm;
  out->n = pv_vm_threads(vm);
  out->alive = out->able = out->lively = 0;
  out->exclusive = pv_vm_exclusive(vm);
  for (unsigned t = 0; t < out->n; t++) {
    if (!pv_vm_is_alive(vm, t) || !pv_vm_depth(vm, t)) continue;
    unsigned progress;
    out->next[t] = look_up(c, t);
    if (out->next[t]->kind == PV_PEND_NONE) continue;
    out->alive |= PV_THREAD_BIT(t);
    out->ways[t] = (uint16_t)pv_vm_ways(vm, t, out->next[t], &progress);
    out->progress[t] = (uint16_t)progress;
    if (out->exclusive != PV_NO_THREAD && out->exclusive != t) continue;
    if (out->ways[t]) out->able |= PV_THREAD_BIT(t);
    if (out->progress[t]) out->lively |= PV_THREAD_BIT(t);
  }
}
