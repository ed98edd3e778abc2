/* fairthreads_instants.c -- instants of FairThreads: how threads are woken and end, and what
 * happens between two instants. */
#include "sched/fairthreads_internal.h"

#include <string.h>

void pv_ft_wake(struct ft_thread *t, unsigned code) {
  t->status = FT_CAN;
  t->code = (uint8_t)code;
  t->deadline = 0;
  t->set = 0;
  t->index = 0;
}

void pv_ft_generate(struct ft *f, unsigned sched, unsigned event) {
  f->s[sched].present |= UINT64_C(1) << event;
  for (unsigned t = 1; t < f->h.threads; t++) {
    bool waits = f->t[t].status == FT_EVENT && (f->t[t].set >> event & 1);
    if (waits && !(f->t[t].flags & FT_SUSPENDED)) pv_ft_wake(&f->t[t], FT_OK);
  }
}

void pv_ft_free_lock(struct ft *f, unsigned lock) {
  f->owner[lock] = 0;
  for (unsigned t = 0; t < f->h.threads; t++) {
    if (f->t[t].status != FT_LOCK || f->t[t].set != lock) continue;
    pv_ft_wake(&f->t[t], FT_OK);
    f->t[t].waits = 0;
  }
}

void pv_ft_end_thread(struct ft *f, unsigned thread) {
  struct ft_thread was = f->t[thread];
  f->t[thread] = (struct ft_thread){.status = FT_ENDED, .sched = FT_UNLINKED};
  f->t[thread].made = was.made;
  f->t[thread].automaton = was.automaton;
  for (unsigned l = 0; l < FT_LOCKS; l++)
    if (f->owner[l] == thread + 1) pv_ft_free_lock(f, l);
  for (unsigned t = 0; t < f->h.threads; t++) {
    struct ft_thread *w = &f->t[t];
    bool told = f->h.old || was.sched == was.made || !pv_ft_is_linked(w);
    if (w->status == FT_JOIN && w->set == thread && told) pv_ft_wake(w, FT_OK);
  }
}

/* The instants until something happens to the scheduler; 0: nothing ever will by itself. */
static uint32_t until_next(const struct ft *f, unsigned sched) {
  uint32_t least = f->s[sched].broadcast ? 1 : 0;
  for (unsigned i = 1; i < f->h.threads; i++) {
    const struct ft_thread *t = &f->t[i];
    bool soon = t->status == FT_NEXT || t->status == FT_VALUE || t->flags & ~FT_SUSPENDED;
    uint32_t own = soon ? 1 : t->deadline;
    if (t->sched == sched && pv_ft_is_live(t) && own && (!least || own < least)) least = own;
  }
  return least;
}

/* In version 1.0 suspend wins, else the order that was given last. */
static void obey(const struct ft *f, struct ft_thread *t) {
  bool both = (t->flags & FT_SUSPEND) && (t->flags & FT_RESUME);
  if (t->flags & FT_RESUME) t->flags &= (uint8_t)~FT_SUSPENDED;
  if ((t->flags & FT_SUSPEND) && (!both || f->h.old)) t->flags |= FT_SUSPENDED;
  if (t->flags & FT_UNLINK) t->sched = FT_UNLINKED;
  t->flags &= FT_SUSPENDED;
}

/* A thread that has to clean up is at its end for others. In version 1.0 it runs in its place,
 * where it cleans up and ends. */
static void stop(struct ft *f, const struct pv_sched_env *env, unsigned thread) {
  struct ft_thread was = f->t[thread];
  bool cleans = was.flags & FT_CLEANS;
  if (f->h.old) {
    f->t[thread].flags = 0;
    f->t[thread].waits = 0;
    pv_ft_wake(&f->t[thread], FT_OK);
    env->restart(env->self, thread, 0, 0);
    return;
  }
  pv_ft_end_thread(f, thread);
  if (!cleans) return;
  f->t[thread].status = FT_CLEANING;
  f->t[thread].sched = was.sched;
  env->restart(env->self, thread, 0, 0);
}

static void next_values(struct ft_values *v) {
  v->generated = 0;
  v->broadcast = v->ordered;
  v->ordered = 0;
  v->list = v->broadcast ? !v->list : 0;
}

static void next_instant(struct ft *f, const struct pv_sched_env *env, unsigned sched,
                         uint32_t instants) {
  struct ft_scheduler *s = &f->s[sched];
  uint64_t broadcast = s->broadcast, present = s->present;
  s->present = s->broadcast = 0;
  s->at = 0;
  for (unsigned e = 0; e < FT_EVENTS; e++)
    if ((present | broadcast) >> e & 1) next_values(&f->v[e]);
  for (unsigned i = 1; i < f->h.threads; i++) { /* first the deadlines */
    struct ft_thread *t = &f->t[i];
    if (!t->deadline || t->sched != sched) continue;
    t->deadline -= instants;
    if (!t->deadline) pv_ft_wake(t, t->status == FT_TIME ? FT_OK : FT_ETIMEOUT);
  }
  for (unsigned i = 1; i < f->h.threads; i++)
    if (f->t[i].sched == sched && (f->t[i].flags & FT_STOP)) stop(f, env, i);
  for (unsigned i = 1; i < f->h.threads; i++)
    if (f->t[i].sched == sched) obey(f, &f->t[i]);
  for (unsigned e = 0; e < FT_EVENTS; e++)
    if (broadcast >> e & 1) pv_ft_generate(f, sched, e);
  for (unsigned i = 1; i < f->h.threads; i++) {
    struct ft_thread *t = &f->t[i];
    bool unlinked = !pv_ft_is_linked(t) && t->status == FT_NEXT; /* just now */
    if (t->sched != sched && !unlinked) continue;
    if (t->status == FT_NEXT) pv_ft_wake(t, FT_OK);
    if (t->status == FT_VALUE) pv_ft_wake(t, FT_ENEXT);
  }
}

static void forget_events(struct ft *f, unsigned sched) {
  for (unsigned e = 0; e < FT_EVENTS; e++)
    if (f->s[sched].present >> e & 1) next_values(&f->v[e]);
  f->s[sched].present = 0;
  f->s[sched].at = 0;
}

/* The next scheduler after this one that has something to do, or this one; its instant begins. */
static bool next_turn(struct ft *f, const struct pv_sched_env *env) {
  for (unsigned k = 1; k <= f->h.schedulers; k++) {
    unsigned s = (f->h.turn + k) % f->h.schedulers;
    if (!f->s[s].launched) continue;
    if (pv_ft_candidates(f, s)) {
      f->h.turn = (uint8_t)s;
      return true;
    }
    uint32_t instants = until_next(f, s);
    if (!instants) {
      forget_events(f, s);
      continue;
    }
    f->h.turn = (uint8_t)s;
    next_instant(f, env, s, f->h.schedulers > 1 ? 1 : instants);
    return true;
  }
  return false;
}

void pv_ft_settle(struct ft *f, const struct pv_sched_env *env) {
  f->h.running = 0;
  while (!pv_ft_free_thread(f) && !pv_ft_candidates(f, f->h.turn))
    if (!next_turn(f, env)) return;
}
