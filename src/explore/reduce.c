#include "explore/reduce.h"

#include <stdlib.h>

#include "analysis/future.h"

struct pv_reduce {
  struct pv_future *future;
};

struct touch {
  uint32_t region;
  unsigned effects;
};

struct pv_reduce *pv_reduce_new(const struct pv_program *p) {
  struct pv_reduce *r = pv_alloc(sizeof *r);
  r->future = pv_future_new(p);
  return r;
}

void pv_reduce_free(struct pv_reduce *r) {
  if (!r) return;
  pv_future_free(r->future);
  free(r);
}

static uint32_t region_at(const struct pv_reduce *r, struct pv_vm *vm, uint64_t address) {
  uint32_t object = pv_vm_object(vm, address);
  uint32_t global = object == UINT32_MAX ? UINT32_MAX : pv_vm_object_global(vm, object);
  return global == UINT32_MAX ? PV_REGION_OTHER : pv_future_region(r->future, global);
}

/* What the parked operation touches; n <= 3. false: too much to say. */
static bool touches(const struct pv_reduce *r, struct pv_vm *vm, const struct pv_pending *p,
                    struct touch *t, unsigned *n) {
  *n = 0;
  switch (p->kind) {
  case PV_PEND_LOCAL:
  case PV_PEND_INPUT: return true;
  case PV_PEND_ACCESS:
    t[(*n)++] = (struct touch){region_at(r, vm, p->address),
                               (p->write ? PV_EFF_WRITE : 0u) |
                                   (!p->write || p->atomic ? PV_EFF_READ : 0u)};
    return true;
  case PV_PEND_ALLOC: t[(*n)++] = (struct touch){PV_REGION_HEAP, PV_EFF_WRITE}; return true;
  case PV_PEND_FREE:
    t[(*n)++] = (struct touch){PV_REGION_HEAP, PV_EFF_WRITE};
    t[(*n)++] = (struct touch){region_at(r, vm, p->address), PV_EFF_WRITE};
    return true;
  case PV_PEND_PRIM: {
    bool on_threads;
    unsigned effects = pv_prim_effects(p->call.prim->name, &on_threads);
    if (on_threads) {
      t[(*n)++] = (struct touch){PV_REGION_THREADS, effects};
      if (effects & (PV_EFF_SPAWN | PV_EFF_JOIN)) /* they store an id or a result */
        t[(*n)++] = (struct touch){PV_REGION_OTHER, PV_EFF_WRITE};
      return true;
    }
    if (p->call.prim->class != PV_PRIM_OBJECT) return false;
    t[(*n)++] = (struct touch){region_at(r, vm, p->call.args[0]), effects | PV_EFF_READ};
    if (p->call.prim->two_objects)
      t[(*n)++] = (struct touch){region_at(r, vm, p->call.args[1]), effects | PV_EFF_READ};
    return true;
  }
  case PV_PEND_END:
  case PV_PEND_ATOMIC:
  case PV_PEND_NONE: return false;
  }
  return false;
}

static bool others_conflict(const struct pv_reduce *r, struct pv_vm *vm, unsigned thread,
                            unsigned n_threads, const struct touch *t) {
  for (unsigned u = 0; u < n_threads; u++) {
    if (u == thread || !pv_vm_is_alive(vm, u)) continue;
    for (uint32_t d = 0; d < pv_vm_depth(vm, u); d++) {
      uint32_t function;
      pv_loc loc;
      pv_vm_frame(vm, u, d, &function, &loc);
      if (pv_effects_conflict(t->effects, pv_future_effects(r->future, function, loc, t->region)))
        return true;
    }
  }
  return false;
}

int pv_reduce_single(struct pv_reduce *r, struct pv_vm *vm, const struct pv_pending *pending,
                     unsigned n) {
  for (unsigned t = 0; t < n; t++) {
    struct touch touch[3];
    unsigned count;
    if (!pending[t].ways || pending[t].progress != pending[t].ways) continue;
    if (!touches(r, vm, &pending[t], touch, &count)) continue;
    bool alone = true;
    for (unsigned i = 0; i < count && alone; i++) alone = !others_conflict(r, vm, t, n, &touch[i]);
    if (alone) return (int)t;
  }
  return -1;
}
