#include "dpor/waits.h"

#include <stdlib.h>
#include <string.h>

#include "dpor/trace.h"

void pv_waits_free(struct pv_waits *w) {
  pv_vec_free(&w->rounds);
  pv_vec_free(&w->reads);
}

void pv_waits_undo(struct pv_waits *w, uint32_t event) {
  while (w->rounds.n && pv_vec_last(&w->rounds).after == event)
    w->reads.n = pv_vec_pop(&w->rounds).first;
}

/* Is it a wait at a condition variable? Only cond_wait and its variants have two objects, condition
 * variable and mutex. */
static bool is_wait(const struct pv_pending *p) {
  return p->kind == PV_PEND_PRIM && p->call.prim->two_objects;
}

/* Finds the event in which the thread, parked at this operation, began to wait. Returns false if
 * there is none, because the thread was alone or the wait is outside of the slice. */
static bool find_wait(const struct pv_trace *t, unsigned thread, const struct pv_edge *at,
                      uint32_t *event) {
  uint32_t n = t->of[thread].n;
  if (!n) return false;
  *event = t->of[thread].at[n - 1].event;
  const struct pv_pending *last = &t->events.at[*event].transition.what;
  return is_wait(last) && last->edge == at && !(last->call.phase & PV_PHASE_UNDER_WAY);
}

void pv_waits_meet(struct pv_trace *t, unsigned thread, const struct pv_pending *p) {
  uint32_t event;
  bool noted = find_wait(t, thread, p->edge, &event);
  t->waits.met = true;
  t->waits.doubt |= p->call.prim->may_be_cancelled; /* requests are not looked for here */
  t->waits.doubt |= !noted;
  t->waits.at_all |= !noted && !t->events.n;
}

/* ---- rounds ---------------------------------------------------------------------------------- */
enum { LONG = 256 /* a bound on the operations of a round */ };

/* The thread's pending operation, with its phase. */
static void look_at(const struct pv_trace *t, unsigned thread, struct pv_pending *p) {
  pv_vm_pending(t->vm, thread, p);
  if (p->kind == PV_PEND_PRIM) p->call.phase = t->sched->phase(pv_vm_sched_state(t->vm), &p->call);
}

/* Finds the alternative of a spurious wake-up. Returns false if there is none. */
static bool find_spurious(const struct pv_trace *t, const struct pv_prim_call *call,
                          unsigned *alternative) {
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  unsigned n = t->sched->alternatives(pv_vm_sched_state(t->vm), call, kinds);
  for (*alternative = 0; *alternative < n; ++*alternative)
    if (kinds[*alternative] == PV_ALTERNATIVE_SPURIOUS) return true;
  return false;
}

static bool does(struct pv_trace *t, unsigned thread, unsigned alternative) {
  uint32_t passed, heap;
  if (pv_vm_step(t->vm, thread, alternative) != PV_RAN) return false;
  pv_vm_passed(t->vm, &passed);
  pv_vm_heap_events(t->vm, &heap);
  return !passed && !heap;
}

/* Wakes the thread, and executes it up to and including its next wait. Returns whether it only
 * reads. */
static bool do_round(struct pv_trace *t, unsigned thread, const struct pv_pending *wait,
                     unsigned alternative) {
  bool fine = does(t, thread, alternative), again = false;
  for (uint32_t n = 0; fine && !again; n++) {
    struct pv_pending p;
    look_at(t, thread, &p);
    again = is_wait(&p) && p.edge == wait->edge && p.call.args[0] == wait->call.args[0] &&
            p.call.args[1] == wait->call.args[1] && !(p.call.phase & PV_PHASE_UNDER_WAY);
    bool reads = p.kind == PV_PEND_ACCESS && !p.write;
    if (reads) pv_vec_push(&t->waits.reads, p);
    fine = n < LONG && (again || reads || p.kind == PV_PEND_LOCAL) && does(t, thread, 0);
  }
  return fine;
}

struct change {
  uint32_t component, n;
  const uint8_t *was;
};
struct changes {
  PV_VEC(struct change) list; /* by component that changed: its oldest content */
};

static bool note_change(void *user, uint32_t component, const uint8_t *was, uint32_t n) {
  struct changes *c = user;
  struct change oldest = {component, n, was};
  for (uint32_t i = 0; i < c->list.n; i++)
    if (c->list.at[i].component == component) {
      c->list.at[i] = oldest;
      return true;
    }
  pv_vec_push(&c->list, oldest);
  return true;
}

/* Is the state the same as at the mark? */
static bool is_as_at(const struct pv_trace *t, pv_journal_mark mark) {
  struct changes c = {0};
  bool same = true;
  pv_journal_visit(&t->journal, mark, pv_journal_at(&t->journal), note_change, &c);
  for (uint32_t i = 0; i < c.list.n && same; i++) {
    const struct change *was = &c.list.at[i];
    const struct pv_comp *is = pv_vm_component(t->vm, was->component);
    same = is->n == was->n && (!is->n || !memcmp(is->data, was->was, is->n));
  }
  pv_vec_free(&c.list);
  return same;
}

/* Executes the round of the thread if it waits, and undoes it. */
static void try_round(struct pv_trace *t, unsigned thread) {
  struct pv_pending p;
  struct pv_round r = {.after = t->events.n - 1, .first = t->waits.reads.n};
  unsigned alternative;
  look_at(t, thread, &p);
  if (!is_wait(&p) || !(p.call.phase & PV_PHASE_UNDER_WAY) ||
      !find_spurious(t, &p.call, &alternative) || !find_wait(t, thread, p.edge, &r.wait))
    return;
  pv_journal_mark mark = pv_journal_at(&t->journal);
  r.idle = do_round(t, thread, &p, alternative);
  pv_journal_keep(&t->journal);
  r.idle = r.idle && is_as_at(t, mark);
  pv_journal_back(&t->journal, mark);
  r.n = t->waits.reads.n - r.first;
  pv_vec_push(&t->waits.rounds, r);
  t->waits.doubt |= !r.idle && r.wait == r.after;
}

/* Does the operation release a mutex? */
static bool gives(const struct pv_trace *t, const struct pv_pending *p, uint64_t *mutex) {
  if (p->kind != PV_PEND_PRIM || p->call.prim->class != PV_PRIM_OBJECT) return false;
  bool waits = is_wait(p) && !(p->call.phase & PV_PHASE_UNDER_WAY);
  *mutex = p->call.args[waits];
  return waits || t->sched->section(&p->call) == PV_SECTION_ENDS;
}

void pv_waits_note(struct pv_trace *t) {
  const struct pv_dpor_event *e = &pv_vec_last(&t->events);
  unsigned thread = e->transition.thread;
  uint64_t mutex;
  uint32_t wait;
  if (!gives(t, &e->transition.what, &mutex) || t->waits.doubt || e->undone) return;
  if (!e->failed) try_round(t, thread);
  const struct pv_enabled_set *f = pv_trace_enabled_set(t);
  PV_FOR_THREADS(i, f->alive & ~PV_THREAD_BIT(thread)) {
    const struct pv_pending *p = &t->pendings.at[f->at[i].next];
    bool waits = is_wait(p) && find_wait(t, i, p->edge, &wait);
    if (waits && p->call.args[1] == mutex) try_round(t, i);
  }
}

/* ---- what others do meanwhile ---------------------------------------------------------------- */
/* One wait of a thread, while the events of the execution are examined. */
struct watch {
  const struct pv_trace *t;
  uint32_t wait; /* the event */
  /* The wait; the thread's next event; the event that woke it. */
  const struct pv_dpor_event *of, *back, *woken;
  uint64_t condition, mutex;
  pv_threads waiting; /* the threads that wait at the condition variable */
  unsigned holder;    /* the owner of the mutex, or PV_NO_THREAD */
  bool signalled;     /* it has woken all waiting threads since it acquired the mutex */
  bool owes;          /* it has written what the round reads, and has not woken them */
};

static bool is_before(const struct pv_dpor_event *a, const struct pv_dpor_event *b) {
  return a && b->clock.at[a->transition.thread] >= a->transition.index;
}

/* Can the event occur while the thread waits? */
static bool is_meanwhile(const struct watch *w, const struct pv_dpor_event *e) {
  return e->transition.thread != w->of->transition.thread && !is_before(e, w->of) &&
         !is_before(w->woken, e) && !is_before(w->back, e);
}

static bool writes(const struct watch *w, const struct pv_dpor_event *e,
                   const struct pv_pending *at) {
  struct pv_transition read = {.thread = w->of->transition.thread, .what = *at};
  read.marks = (struct pv_marks){UINT64_MAX, UINT64_MAX, true};
  return pv_trace_ordered(w->t, &read, &e->transition);
}

/* Does the event write memory that a round of the wait reads? */
static bool meets(const struct watch *w, const struct pv_dpor_event *e) {
  const struct pv_waits *all = &w->t->waits;
  for (uint32_t i = 0; i < all->rounds.n; i++) {
    const struct pv_round *r = &all->rounds.at[i];
    for (uint32_t k = 0; k < r->n && r->wait == w->wait; k++)
      if (writes(w, e, &all->reads.at[r->first + k])) return true;
  }
  return false;
}

/* Is the round after this event known, and without effect? */
static bool is_idle_behind(const struct watch *w, uint32_t event) {
  const struct pv_waits *all = &w->t->waits;
  for (uint32_t i = 0; i < all->rounds.n; i++)
    if (all->rounds.at[i].wait == w->wait && all->rounds.at[i].after == event)
      return all->rounds.at[i].idle;
  return false;
}

static void take(struct watch *w, unsigned thread) {
  w->holder = thread;
  w->signalled = w->owes = false;
}

/* Releases the mutex. Returns false if this may matter. */
static bool give(struct watch *w, const struct pv_dpor_event *e) {
  bool fine = w->holder == e->transition.thread;
  if (w->owes) fine = fine && is_idle_behind(w, (uint32_t)(e - w->t->events.at));
  w->holder = PV_NO_THREAD;
  return fine;
}

static bool wakes(struct watch *w, const struct pv_dpor_event *e, bool all) {
  pv_threads waiting = w->waiting;
  if (!all && waiting & (waiting - 1)) return false; /* several threads wait, one is woken */
  bool waits = waiting & PV_THREAD_BIT(w->of->transition.thread);
  if (waits && e > w->of && !w->woken && !w->back) w->woken = e;
  w->waiting = 0;
  if (w->holder == e->transition.thread) {
    w->signalled = true;
    w->owes = false;
  }
  return true;
}

/* The first or the second stage of a wait. */
static bool passes_wait(struct watch *w, const struct pv_dpor_event *e) {
  const struct pv_prim_call *c = &e->transition.what.call;
  unsigned thread = e->transition.thread;
  bool under_way = c->phase & PV_PHASE_UNDER_WAY, idle = c->phase & PV_PHASE_IDLE;
  if (c->args[0] == w->condition) {
    if (under_way)
      w->waiting &= ~PV_THREAD_BIT(thread);
    else if (!idle)
      w->waiting |= PV_THREAD_BIT(thread);
  }
  if (c->args[1] != w->mutex || idle) return true;
  if (!under_way) return give(w, e);
  if (w->holder == PV_NO_THREAD) take(w, thread); /* otherwise only its time limit has passed */
  return true;
}

/* The effect of a primitive on the condition variable and the mutex. Returns false if it may
 * matter. */
static bool passes_prim(struct watch *w, const struct pv_dpor_event *e) {
  const struct pv_prim_call *c = &e->transition.what.call;
  const struct pv_sched *sched = w->t->sched;
  bool idle = c->phase & PV_PHASE_IDLE;
  if (c->prim->class != PV_PRIM_OBJECT) return true;
  if (c->prim->two_objects) return passes_wait(w, e);
  if (c->args[0] == w->condition) {
    bool all = c->prim == pv_sched_find(sched, "__proviso_cond_broadcast");
    if (all || c->prim == pv_sched_find(sched, "__proviso_cond_signal")) return wakes(w, e, all);
    return !is_meanwhile(w, e);
  }
  if (c->args[0] != w->mutex) return true;
  switch (sched->section(c)) {
  case PV_SECTION_BEGINS:
    if (idle) return true;
    if (w->holder != PV_NO_THREAD) return false; /* a further lock */
    take(w, e->transition.thread);
    return !e->transition.inner; /* sections with a wait are not one event */
  case PV_SECTION_ENDS: return idle || give(w, e);
  case PV_SECTION_AROUND: return !is_meanwhile(w, e);
  case PV_SECTION_OTHER: break;
  }
  return false; /* an attempt observes whether a round is being executed */
}

static bool passes(struct watch *w, const struct pv_dpor_event *e) {
  if (e->undone) return false;
  if (e->transition.what.kind == PV_PEND_PRIM && !passes_prim(w, e)) return false;
  if (!is_meanwhile(w, e) || !meets(w, e)) return true;
  if (w->holder != e->transition.thread) return false;
  w->owes = !w->signalled;
  return true;
}

/* May a spurious wake-up from the wait that began in this event matter? */
static bool may_matter(const struct pv_trace *t, uint32_t wait) {
  const struct pv_dpor_event *of = &t->events.at[wait];
  unsigned thread = of->transition.thread;
  struct watch w = {.t = t, .wait = wait, .of = of, .holder = PV_NO_THREAD};
  w.condition = of->transition.what.call.args[0];
  w.mutex = of->transition.what.call.args[1];
  for (uint32_t i = 0; i < t->events.n; i++) {
    const struct pv_dpor_event *e = &t->events.at[i];
    if (e > of && e->transition.thread == thread && !w.back) w.back = e;
    if (!passes(&w, e)) return true;
  }
  return false;
}

void pv_waits_conclude(struct pv_trace *t) {
  for (uint32_t i = 0; i < t->waits.rounds.n && !t->waits.doubt; i++) {
    const struct pv_round *r = &t->waits.rounds.at[i];
    if (r->wait == r->after) t->waits.doubt = may_matter(t, r->wait);
  }
}
