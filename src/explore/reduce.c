#include "explore/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "explore/future.h"

struct pv_reduce {
  struct pv_space *space;
  const struct pv_sched *sched;
  struct pv_future *future;
  struct pv_places *places;
  /* for the state of the last query, by thread */
  const struct pv_moves *moves;
  uint32_t may[PV_MAX_THREADS]; /* by thread: what it may still do */
  struct pv_pending_effects parked[PV_MAX_THREADS];
  struct pv_openings openings[PV_MAX_THREADS]; /* valid for the threads in `opening_known` */
  pv_threads opening_known;
  uint64_t closed;
  pv_threads waiting; /* alive and blocked */
};

/* The operations that cannot happen before a member of the set moves. */
struct frozen {
  pv_threads threads;
  uint64_t locks;
};

struct pv_reduce *pv_reduce_new(const struct pv_program *p, const struct pv_sched *sched,
                                struct pv_space *space) {
  struct pv_reduce *r = pv_alloc(sizeof *r);
  r->space = space;
  r->sched = sched;
  r->future = pv_future_new(space, p, sched);
  r->places = pv_places_new(p);
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

/* If the thread is parked at a join: the thread whose end it waits for; else PV_MAX_THREADS. */
static unsigned awaited(const struct pv_reduce *r, unsigned thread) {
  return r->sched->awaited(pv_vm_sched_state(r->space->vm), &r->moves->next[thread]->call);
}

/* Does the thread hold the lock that it is about to release? */
static bool holds(const struct pv_reduce *r, unsigned thread) {
  return r->sched->holds(pv_vm_sched_state(r->space->vm), &r->moves->next[thread]->call);
}

static unsigned count(pv_threads s) {
  unsigned n = 0;
  for (; s; s &= s - 1) n++;
  return n;
}

/* ---- frozen threads and locks -----------------------------------------------------------------
 */
/* May one of these threads unblock the thread? */
static bool may_wake(struct pv_reduce *r, unsigned thread, pv_threads active, uint64_t locks) {
  const struct pv_touched *t = r->parked[thread].touched;
  if (r->parked[thread].lock) return !(locks & r->parked[thread].lock);
  unsigned one = r->parked[thread].joins ? awaited(r, thread) : PV_MAX_THREADS;
  if (one < PV_MAX_THREADS) return active & PV_THREAD_BIT(one);
  PV_FOR_THREADS(u, active)
  if (t->unknown || pv_future_meets(r->future, u, r->may[u], t, true, locks)) return true;
  return false;
}

static uint64_t thaw(struct pv_reduce *r, unsigned thread, uint64_t locks) {
  struct pv_openings *o = &r->openings[thread];
  if (!(r->opening_known & PV_THREAD_BIT(thread))) {
    *o = *pv_future_openings(r->future, thread, r->may[thread]);
    r->opening_known |= PV_THREAD_BIT(thread);
  }
  for (unsigned i = 0; i < o->n; i++)
    if (!(o->at[i].guards & locks)) locks &= ~o->at[i].opens;
  return locks;
}

static struct frozen freeze(struct pv_reduce *r, pv_threads set) {
  struct frozen z = {r->waiting & ~set, r->closed};
  for (bool changed = true; changed;) {
    pv_threads active = r->moves->alive & ~set & ~z.threads;
    uint64_t locks = z.locks;
    if (z.locks) PV_FOR_THREADS(u, active) z.locks = thaw(r, u, z.locks);
    changed = z.locks != locks;
    PV_FOR_THREADS(u, z.threads)
    if (may_wake(r, u, active, z.locks)) {
      z.threads &= ~PV_THREAD_BIT(u);
      changed = true;
    }
  }
  return z;
}

/* ---- persistent sets --------------------------------------------------------------------------

 */
/* Could the thread become the only one? Operations of a single thread are invisible, and provisos
 * about unordered accesses are not reported for them. So what it does while the last other thread
 * is alive must be explored. */
static bool leaves_one(const struct pv_reduce *r, const struct pv_pending_effects *p) {
  return p->ends && count(r->moves->alive) == 2;
}

/* The threads outside `set` that must be added because `member` is in it. */
static pv_threads called_in(struct pv_reduce *r, unsigned member, pv_threads set,
                            const struct frozen *z) {
  const struct pv_moves *m = r->moves;
  const struct pv_pending_effects *parked = &r->parked[member];
  const struct pv_touched *t = parked->touched;
  pv_threads in = 0, outside = m->alive & ~set;
  /* It may get a further alternative meanwhile. */
  if (m->alternatives[member] != m->progress[member]) return outside;
  if (t->unknown || leaves_one(r, parked)) return outside;
  if (parked->gives && !holds(r, member)) return outside;
  bool waits = r->waiting & PV_THREAD_BIT(member);
  if (waits && parked->joins) {
    unsigned one = awaited(r, member);
    if (one < PV_MAX_THREADS) return outside & PV_THREAD_BIT(one);
  }
  PV_FOR_THREADS(u, outside & ~z->threads)
  if (pv_future_meets(r->future, u, r->may[u], t, waits, z->locks)) in |= PV_THREAD_BIT(u);
  return in;
}

/* The smallest persistent set that contains the thread. Stops early if it is not smaller than
 * `best`. */
static pv_threads closure(struct pv_reduce *r, unsigned first, pv_threads best) {
  pv_threads set = PV_THREAD_BIT(first), todo = set;
  struct frozen most = {r->waiting & ~set, r->closed}; /* an upper bound, computed fast */
  if (count((set | called_in(r, first, set, &most)) & r->moves->able) >= count(best)) return best;
  struct frozen z = freeze(r, set);
  while (todo) {
    unsigned t = (unsigned)__builtin_ctzll(todo);
    pv_threads more = called_in(r, t, set, &z);
    todo = (todo & (todo - 1)) | more;
    if (!more) continue;
    set |= more;
    if (count(set & r->moves->able) >= count(best)) return best;
    z = freeze(r, set);
  }
  return set & r->moves->able;
}

pv_threads pv_reduce_set(struct pv_reduce *r, const struct pv_moves *moves) {
  pv_threads best = moves->able;
  PV_FOR_THREADS(t, moves->able)
  if (moves->next[t]->kind == PV_PEND_LOCAL) return PV_THREAD_BIT(t); /* affects no other thread */
  r->moves = moves;
  r->waiting = r->opening_known = 0;
  PV_FOR_THREADS(t, moves->alive) {
    r->may[t] = pv_future_of(r->future, t);
    r->parked[t] = pv_future_parked(r->future, moves->next[t]);
    if (!moves->alternatives[t]) r->waiting |= PV_THREAD_BIT(t);
  }
  r->closed = pv_future_closed(r->future);
  for (unsigned gives = 2; gives-- > 0;) /* the likely ones first */
    PV_FOR_THREADS(t, moves->able) {
      if (r->parked[t].gives != gives) continue;
      best = closure(r, t, best);
      if (!(best & (best - 1))) return best;
    }
  return best;
}
