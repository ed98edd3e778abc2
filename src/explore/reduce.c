#include "explore/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/future.h"

struct pv_reduce {
  struct pv_future *future;
  struct pv_places *places;
  const struct pv_sched *sched;
};

struct touch {
  uint32_t region;
  unsigned effects;
};
/* What one parked operation touches. */
struct touches {
  struct touch at[3];
  unsigned n;
};

struct pv_reduce *pv_reduce_new(const struct pv_program *p, const struct pv_sched *sched) {
  struct pv_reduce *r = pv_alloc(sizeof *r);
  r->future = pv_future_new(p);
  r->places = pv_places_new(p);
  r->sched = sched;
  return r;
}

void pv_reduce_free(struct pv_reduce *r) {
  if (!r) return;
  pv_future_free(r->future);
  pv_places_free(r->places);
  free(r);
}

const struct pv_places *pv_reduce_places(const struct pv_reduce *r) {
  return r->places;
}

/* ---- what a parked operation touches --------------------------------------------------------- */
static uint32_t region_at(const struct pv_reduce *r, struct pv_vm *vm, uint64_t address) {
  uint32_t object = pv_vm_object(vm, address);
  uint32_t global = object == UINT32_MAX ? UINT32_MAX : pv_vm_object_global(vm, object);
  return global == UINT32_MAX ? PV_REGION_OTHER : pv_future_region(r->future, global);
}

static void add(struct touches *t, uint32_t region, unsigned effects) {
  t->at[t->n++] = (struct touch){region, effects};
}

static bool prim_touches(const struct pv_reduce *r, struct pv_vm *vm, const struct pv_prim_call *c,
                         struct touches *t) {
  bool on_threads;
  unsigned effects = pv_prim_effects(c->prim->name, &on_threads);
  if (on_threads) {
    add(t, PV_REGION_THREADS, effects);
    if (effects & (PV_EFF_SPAWN | PV_EFF_JOIN)) /* they store an id or a result */
      add(t, PV_REGION_OTHER, PV_EFF_WRITE);
    return true;
  }
  if (c->prim->class != PV_PRIM_OBJECT) return false;
  if (!pv_vm_holds(vm, c)) return false; /* what a lock that is not held gives way to is open */
  for (unsigned i = 0; i < (c->prim->two_objects ? 2u : 1u); i++)
    add(t, region_at(r, vm, c->args[i]), effects | PV_EFF_READ);
  return true;
}

/* false: too much to say. */
static bool touches(const struct pv_reduce *r, struct pv_vm *vm, const struct pv_pending *p,
                    struct touches *t) {
  uint32_t region;
  t->n = 0;
  switch (p->kind) {
  case PV_PEND_LOCAL:
  case PV_PEND_INPUT: return true;
  case PV_PEND_ACCESS:
    region = region_at(r, vm, p->address);
    add(t, region,
        pv_only_adds(p->edge)
            ? pv_future_add_effects(r->future, region)
            : (p->write ? PV_EFF_WRITE : 0u) | (!p->write || p->atomic ? PV_EFF_READ : 0u));
    return true;
  case PV_PEND_ALLOC: add(t, PV_REGION_HEAP, PV_EFF_WRITE); return true;
  case PV_PEND_FREE:
    add(t, PV_REGION_HEAP, PV_EFF_WRITE);
    add(t, region_at(r, vm, p->address), PV_EFF_WRITE);
    return true;
  case PV_PEND_SCOPE: add(t, PV_REGION_OTHER, PV_EFF_WRITE); return true;
  case PV_PEND_PRIM: return prim_touches(r, vm, &p->call, t);
  case PV_PEND_END:
  case PV_PEND_ATOMIC:
  case PV_PEND_NONE: return false;
  }
  return false;
}

/* ---- persistent sets ------------------------------------------------------------------------- */
/* What another thread may still do that matters to a member parked there: if the member can move,
 * what depends on it; if it is blocked, what may unblock it. */
static unsigned wanted(unsigned effects, bool able) {
  return able ? pv_effects_conflicting(effects) : pv_effects_enabling(effects);
}

static bool may_do(const struct pv_reduce *r, struct pv_vm *vm, unsigned thread, uint32_t region,
                   unsigned effects) {
  for (uint32_t d = pv_vm_depth(vm, thread); d-- > 0;) {
    uint32_t function;
    pv_loc loc;
    pv_vm_frame(vm, thread, d, &function, &loc);
    if (pv_future_effects(r->future, function, loc, region) & effects) return true;
  }
  return false;
}

/* The threads outside `set` that have to come in because `member` is in; all if it cannot be said.
 */
static pv_threads called_in(const struct pv_reduce *r, struct pv_vm *vm, const struct pv_moves *m,
                            unsigned member, pv_threads set) {
  struct touches t;
  bool able = m->able & PV_THREAD_BIT(member);
  if (m->ways[member] != m->progress[member]) return m->alive; /* a way may open meanwhile */
  if (!touches(r, vm, m->next[member], &t)) return m->alive;
  pv_threads in = 0;
  PV_FOR_THREADS(u, m->alive & ~set) {
    for (unsigned i = 0; i < t.n && !(in & PV_THREAD_BIT(u)); i++)
      if (may_do(r, vm, u, t.at[i].region, wanted(t.at[i].effects, able))) in |= PV_THREAD_BIT(u);
  }
  return in;
}

static unsigned count(pv_threads s) {
  return (unsigned)__builtin_popcountll(s);
}

/* The closure of one thread; stops early when it is no smaller than `best`. */
static pv_threads closure(const struct pv_reduce *r, struct pv_vm *vm, const struct pv_moves *m,
                          unsigned first, pv_threads best) {
  pv_threads set = PV_THREAD_BIT(first), todo = set;
  while (todo) {
    unsigned t = (unsigned)__builtin_ctzll(todo);
    pv_threads more = called_in(r, vm, m, t, set);
    todo = (todo & (todo - 1)) | (more & ~set);
    set |= more;
    if (count(set & m->able) >= count(best)) return best;
  }
  return set & m->able;
}

pv_threads pv_reduce_set(struct pv_reduce *r, struct pv_vm *vm, const struct pv_moves *moves) {
  pv_threads best = moves->able;
  PV_FOR_THREADS(t, moves->able)
  if (moves->next[t]->kind == PV_PEND_LOCAL) return PV_THREAD_BIT(t); /* touches nothing */
  PV_FOR_THREADS(t, moves->able) {
    if (count(best) < 2) return best;
    best = closure(r, vm, moves, t, best);
  }
  return best;
}
