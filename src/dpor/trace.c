#include "dpor/trace.h"

#include <stdlib.h>
#include <string.h>

#include "dpor/await.h"
#include "vm/events.h"

/* ---- enabled sets
 * ---------------------------------------------------------------------------------- */
pv_threads pv_enabled_threads(const struct pv_enabled_set *f) {
  pv_threads able = f->able & ~f->stuck, ends = able & f->ends;
  return able & ~ends ? able & ~ends : ends;
}

struct pv_transition pv_trace_next(const struct pv_trace *t, uint32_t n, unsigned thread) {
  const struct pv_parked *at = &t->enabled_sets.at[n].at[thread];
  uint32_t done = t->of[thread].n;
  while (done && t->of[thread].at[done - 1].event >= n) done--;
  struct pv_transition d = {.thread = thread, .alternative = PV_ANY_ALTERNATIVE, .index = done + 1};
  d.what = t->pendings.at[at->next];
  d.what.call.phase = at->phase;
  d.marks = at->marks;
  if (t->exchanges && n == t->events.n && d.what.kind == PV_PEND_ACCESS) {
    struct pv_exchange x = pv_exchange_of(t, &d);
    d.what.stays = x.known && x.expects && x.there != x.expected;
  }
  return d;
}

bool pv_trace_is_eager(const struct pv_trace *t, struct pv_vm *vm, const struct pv_pending *p) {
  return t->eager && p->kind == PV_PEND_PRIM && pv_vm_is_eager(vm, &p->call);
}

void pv_trace_set_eager(struct pv_trace *t, bool eager) {
  t->eager = eager;
  pv_vm_set_eager(t->vm, eager);
}

/* A thread other than main creates or joins threads: ends and joins are not eager any more. */
static void stop_eagerness(struct pv_trace *t) {
  t->not_eager |= t->eager;
  pv_trace_set_eager(t, false);
}

static void look_for_others(struct pv_trace *t, const struct pv_pending *p) {
  if (p->kind != PV_PEND_PRIM || p->call.prim->class != PV_PRIM_THREAD) return;
  enum pv_prim_role role = p->call.prim->role;
  bool of_main = !p->thread && (role == PV_ROLE_CREATES || role == PV_ROLE_JOINS);
  if (!of_main && role != PV_ROLE_EXITS) stop_eagerness(t);
}

static void look_at(struct pv_trace *t, struct pv_enabled_set *f, unsigned thread) {
  struct pv_pending p;
  pv_vm_pending(t->vm, thread, &p);
  pv_section_look(&t->sections, t->sched, &p);
  look_for_others(t, &p);
  f->at[thread].next = t->pendings.n;
  f->at[thread].marks = pv_marks_of(t->vm, t->sched, &p);
  pv_vec_push(&t->pendings, p);
}

/* Records what precedes the thread's current operation; the thread has just arrived there. */
static void look_past(struct pv_trace *t, struct pv_enabled_set *f, unsigned thread,
                      unsigned alternatives) {
  const struct pv_pending *p = &t->pendings.at[f->at[thread].next];
  f->hiding &= ~PV_THREAD_BIT(thread);
  f->eager &= ~PV_THREAD_BIT(thread);
  if (pv_trace_is_eager(t, t->vm, p)) f->eager |= PV_THREAD_BIT(thread);
  if (!t->predicate || p->kind == PV_PEND_END) return;
  if (p->kind == PV_PEND_LOCAL) {
    bool starts = !t->events.n; /* the start of the program */
    if (!starts) pv_predicate_need_loop(t->predicate, t->vm, thread);
  } else if (pv_predicate_matters(t->predicate, p)) {
    if (f->waited & PV_THREAD_BIT(thread))
      pv_predicate_need(t->predicate, &t->pendings.at[f->at[thread].waited_at]);
  } else {
    f->hiding |= PV_THREAD_BIT(thread);
    f->eager |= PV_THREAD_BIT(thread);
    if (p->kind != PV_PEND_PRIM || alternatives > 1) pv_predicate_need(t->predicate, p);
  }
}

enum { NOTHING = 0 };
static uint32_t base_of_event(uint32_t event) {
  return (event + 1) << 1;
}

/* Does the clock contain everything before the operation, and is this known without comparing all
 * of it? */
static bool has_base(const struct pv_trace *t, const struct pv_clock *have, uint32_t base) {
  if (base & 1) return false;
  const struct pv_transition *d = &t->events.at[(base >> 1) - 1].transition;
  /* Then it also has everything that comes before that event. */
  return have->at[d->thread] >= d->index;
}

/* Everything before the thread's next operation now also comes before that of the other thread. */
static void add_base(struct pv_trace *t, struct pv_enabled_set *f, unsigned thread,
                     uint32_t other) {
  struct pv_parked *at = &f->at[thread];
  if (!other || at->base == other) return;
  if (!at->base) {
    at->base = other;
    return;
  }
  if (!t->whole_bases && has_base(t, pv_trace_base(t, at->base), other)) return;
  pv_vec_reserve(&t->joins, t->joins.n + 1); /* first, because elements may move */
  struct pv_joined_clock *j = &t->joins.at[t->joins.n];
  memcpy(j->clock.at, pv_trace_base(t, at->base)->at, t->slots * sizeof j->clock.at[0]);
  pv_clock_join(t, &j->clock, pv_trace_base(t, other));
  j->of[0] = at->base;
  j->of[1] = other;
  at->base = t->joins.n++ << 1 | 1;
}

/* The thread that the call joins, or would join if that had ended. */
static unsigned joined(const struct pv_trace *t, const struct pv_pending *p) {
  if (p->kind != PV_PEND_PRIM || p->call.prim->role != PV_ROLE_JOINS) return PV_MAX_THREADS;
  return t->sched->awaited(pv_vm_sched_state(t->vm), &p->call);
}

/* The thread that is about to be joined has ended. Even if its end was no event, it comes before
 * the join. A thread that was detached, or that another thread joined, is not awaited. */
static void await_end(struct pv_trace *t, struct pv_enabled_set *f, unsigned thread) {
  unsigned other = f->at[thread].awaited;
  if (other == PV_MAX_THREADS || !f->at[other].base) return;
  if (joined(t, &t->pendings.at[f->at[thread].next]) != other) return;
  const struct pv_clock *base = pv_trace_base(t, f->at[thread].base);
  if (t->whole_bases || !base || base->at[other] < t->of[other].n)
    add_base(t, f, thread, f->at[other].base);
}

/* Adds a thread created by `creator`. Its number may have belonged to another thread before. */
static void begin_thread(struct pv_trace *t, struct pv_enabled_set *f, unsigned thread,
                         unsigned creator) {
  uint32_t n = t->of[thread].n;
  f->at[thread] =
      (struct pv_parked){.base = n ? base_of_event(t->of[thread].at[n - 1].event) : NOTHING};
  if (thread != creator) add_base(t, f, thread, f->at[creator].base);
}

/* Makes room for more threads. No existing event comes after any of them. */
static void grow(struct pv_trace *t, struct pv_enabled_set *f) {
  unsigned n = pv_vm_threads(t->vm);
  if (n > t->slots) {
    size_t bytes = (n - t->slots) * sizeof(uint32_t);
    for (uint32_t i = 0; i < t->events.n; i++)
      memset(&t->events.at[i].clock.at[t->slots], 0, bytes);
    for (uint32_t i = 0; i < t->joins.n; i++) memset(&t->joins.at[i].clock.at[t->slots], 0, bytes);
    t->slots = n;
  }
  if (n > f->n) memset(&f->at[f->n], 0, (n - f->n) * sizeof f->at[0]);
  f->n = n;
}

/* Does the operation end the program? Operations that end only the path of their thread do not:
 * others may do so, too. */
static bool ends_program(const struct pv_pending *p) {
  if (p->kind != PV_PEND_END) return false;
  if (p->edge->op != PV_OP_STOP) return p->edge->op == PV_OP_HAVOC; /* an input without any value */
  switch ((enum pv_stop)p->edge->aux) {
  case PV_STOP_EXIT:
  case PV_STOP_ABORT:
  case PV_STOP_ASSUME: return true;
  case PV_STOP_UNSUPPORTED:
  case PV_STOP_UNREACHABLE:
  case PV_STOP_OBSERVER:
  case PV_STOP_BOUND:
  case PV_STOP_TRIED: break;
  }
  return false;
}

static void put(pv_threads *set, unsigned thread, bool in) {
  *set = in ? *set | PV_THREAD_BIT(thread) : *set & ~PV_THREAD_BIT(thread);
}

/* The number of alternatives of the operation at which the thread is parked. moved: it has just
 * arrived there. */
static void look_for_alternatives(struct pv_trace *t, struct pv_enabled_set *f, unsigned thread,
                                  bool moved) {
  struct pv_parked *at = &f->at[thread];
  const struct pv_pending *p = &t->pendings.at[at->next];
  bool prim = p->kind == PV_PEND_PRIM;
  unsigned progress = p->progress, alternatives = p->alternatives;
  if (prim || p->kind == PV_PEND_ALLOC)
    alternatives = pv_vm_alternatives(t->vm, thread, p, &progress);
  if (prim) at->phase = (uint8_t)t->sched->phase(pv_vm_sched_state(t->vm), &p->call);
  if (prim && t->at_thread_bound && p->call.prim->role == PV_ROLE_CREATES)
    at->phase |= PV_PHASE_AT_BOUND;
  if (alternatives > progress) pv_waits_meet(t, thread, p);
  at->alternatives = (uint16_t)progress;
  put(&f->ready, thread, progress);
  if (moved) look_past(t, f, thread, progress);
  if (prim && progress && p->call.prim->role == PV_ROLE_JOINS) await_end(t, f, thread);
}

/* Records that the thread has arrived at its current operation. */
static void arrive(struct pv_trace *t, struct pv_enabled_set *f, unsigned thread) {
  look_at(t, f, thread);
  const struct pv_pending *p = &t->pendings.at[f->at[thread].next];
  bool there = p->kind != PV_PEND_NONE;
  put(&f->alive, thread, there);
  put(&f->ends, thread, ends_program(p));
  put(&f->ready, thread, false);
  put(&f->open, thread, p->kind == PV_PEND_PRIM || p->kind == PV_PEND_ALLOC);
  f->at[thread].awaited = (uint8_t)joined(t, p);
  if (there) look_for_alternatives(t, f, thread, true);
}

/* May the alternatives of the thread, which did not move, have changed? While joins are eager, a
 * join waits only for the end of its thread. */
static bool may_have_changed(const struct pv_trace *t, const struct pv_enabled_set *f,
                             unsigned thread, bool sched_changed) {
  unsigned awaited = f->at[thread].awaited;
  if (awaited != PV_MAX_THREADS && t->eager) return !(f->known & PV_THREAD_BIT(awaited));
  return sched_changed || t->pendings.at[f->at[thread].next].kind == PV_PEND_ALLOC;
}

/* Updates the enabled set after `mover` moved, also for threads that are new. */
static void make_enabled_set(struct pv_trace *t, struct pv_enabled_set *f, unsigned mover,
                             bool sched_changed) {
  pv_threads now = pv_vm_alive_set(t->vm) & ~f->stuck, created = now & ~f->known;
  pv_threads moved = created | (mover != PV_NO_THREAD ? PV_THREAD_BIT(mover) & now : 0);
  pv_threads joined = mover != PV_NO_THREAD ? pv_vm_joined(t->vm) : 0;
  grow(t, f);
  bool first = f->n > 1 && !f->observed;
  f->observed |= f->n > 1;
  if (f->observed) pv_vm_set_observed(t->vm, true); /* also while eager operations are executed */
  if (first) {
    pv_vm_tell_freed(t->vm);
    pv_trace_note_heap(t, (struct pv_stepping){0});
  }
  f->exclusive = pv_vm_exclusive(t->vm);
  f->known = now;
  f->alive &= now;
  PV_FOR_THREADS(i, created) begin_thread(t, f, i, mover); /* before main continued to joins */
  PV_FOR_THREADS(i, joined) add_base(t, f, mover, f->at[i].base);
  PV_FOR_THREADS(i, moved) arrive(t, f, i);
  PV_FOR_THREADS(i, f->open & f->alive & ~moved)
  if (may_have_changed(t, f, i, sched_changed)) look_for_alternatives(t, f, i, false);
  f->ends &= f->alive;
  f->able = f->ready & f->alive;
  if (f->exclusive != PV_NO_THREAD) f->able &= PV_THREAD_BIT(f->exclusive);
}

void pv_trace_begin(struct pv_trace *t, const struct pv_task *task, const struct pv_sched *sched,
                    struct pv_vm *vm, struct pv_predicate *predicate) {
  struct pv_enabled_set f = {0};
  *t = (struct pv_trace){.task = task, .sched = sched, .vm = vm, .predicate = predicate};
  t->sections.on = task->options->peek;
  bool races = task->properties & PV_PROP_BIT(PV_PROP_NO_DATA_RACE); /* each store can race */
  t->sections.chains = task->options->prune && !races;
  t->whole_bases = task->options->robustness;
  t->exchanges = pv_exchanges(task->program);
  pv_trace_set_eager(t, true);
  pv_journal_begin(&t->journal, vm);
  make_enabled_set(t, &f, 0, true);
  pv_vec_push(&t->enabled_sets, f);
}

void pv_trace_free(struct pv_trace *t) {
  pv_journal_free(&t->journal);
  pv_sections_free(&t->sections);
  pv_heap_notes_free(&t->heap);
  pv_waits_free(&t->waits);
  pv_vec_free(&t->events);
  pv_vec_free(&t->enabled_sets);
  pv_vec_free(&t->pendings);
  pv_vec_free(&t->joins);
  pv_vec_free(&t->races);
  pv_vec_free(&t->publications);
  pv_vec_free(&t->fences);
  for (unsigned i = 0; i < PV_MAX_THREADS; i++) pv_vec_free(&t->of[i]);
}

bool pv_trace_is_section(const struct pv_trace *t, const struct pv_transition *d) {
  return pv_section_is_one(&t->sections, t->sched, &d->what);
}

enum { LONG_SECTION = 4096 }; /* accesses */

/* The thread's path ended with a proviso, which may be due to operations without an event. */
static void look_for_reason(struct pv_trace *t, unsigned thread) {
  uint32_t function;
  const struct pv_edge *e = pv_vm_at(t->vm, thread, &function);
  const struct pv_prim *prim = e->op == PV_OP_PRIM ? t->task->program->prims.at[e->aux].prim : NULL;
  if (prim && prim->role == PV_ROLE_CREATES && !t->at_thread_bound) {
    stop_eagerness(t);
    t->at_thread_bound = t->not_eager = true;
  }
  if (t->predicate) pv_predicate_need_end(t->predicate, t->vm, thread);
}

static void note_for_robustness(struct pv_trace *t) {
  uint32_t n;
  const uint32_t *objects = pv_vm_published(t->vm, &n);
  for (uint32_t i = 0; i < n; i++)
    pv_vec_push(&t->publications, ((struct pv_publication){objects[i], t->events.n - 1}));
  const struct pv_fence *fences = pv_vm_fences(t->vm, &n);
  for (uint32_t i = 0; i < n; i++)
    pv_vec_push(&t->fences, ((struct pv_fence_note){fences[i], t->events.n - 1}));
}

static enum pv_outcome execute(void *user, unsigned thread, unsigned alternative) {
  return pv_vm_step(((struct pv_trace *)user)->vm, thread, alternative);
}

static enum pv_outcome step_told(struct pv_trace *t, unsigned thread, unsigned alternative) {
  struct pv_teller teller = {.program = t->task->program,
                             .sched = t->sched,
                             .vm = t->vm,
                             .to = t->task->listeners,
                             .execute = execute,
                             .user = t};
  struct pv_pending p;
  unsigned progress;
  pv_vm_pending(t->vm, thread, &p);
  unsigned alternatives = pv_vm_alternatives(t->vm, thread, &p, &progress);
  enum pv_outcome outcome = pv_tell_step(&teller, &p, alternative, alternatives);
  pv_tell_end(t->task->listeners, thread, 0, outcome);
  return outcome;
}

static enum pv_outcome step(struct pv_trace *t, struct pv_stepping by, unsigned alternative) {
  enum pv_outcome outcome = t->task->listeners ? step_told(t, by.thread, alternative)
                                               : pv_vm_step(t->vm, by.thread, alternative);
  struct pv_dpor_event *e = &pv_vec_last(&t->events);
  pv_threads eager_threads;
  e->hid |= pv_vm_hid(t->vm);
  e->held |= pv_vm_held_eagerly(t->vm, &eager_threads);
  e->eager_threads |= eager_threads;
  pv_trace_note_heap(t, by);
  note_for_robustness(t);
  if (outcome == PV_CUT) look_for_reason(t, by.thread);
  uint32_t passed;
  const struct pv_event *list = pv_vm_passed(t->vm, &passed);
  for (uint32_t i = 0; i < passed; i++)
    pv_tell_error(t->task->listeners, t->task->program, &list[i]);
  if (outcome == PV_VIOLATED)
    pv_tell_error(t->task->listeners, t->task->program, pv_vm_event(t->vm));
  if (!t->tell) return outcome;
  for (uint32_t i = 0; i < passed; i++) t->tell(t->user, &list[i]);
  if (outcome == PV_VIOLATED) t->tell(t->user, pv_vm_event(t->vm));
  return outcome;
}

/* Executes the rest of a section after the lock, up to the unlock. */
static enum pv_outcome do_section(struct pv_trace *t, struct pv_dpor_event *e,
                                  struct pv_stepping by) {
  unsigned thread = e->transition.thread;
  uint64_t mutex = e->transition.what.call.args[0];
  bool ends = false, taken = !(e->transition.what.call.phase & PV_PHASE_IDLE);
  t->sections.now.n = 0;
  while (!ends) {
    struct pv_pending p;
    pv_vm_pending(t->vm, thread, &p);
    ends = p.kind == PV_PEND_PRIM && p.call.args[0] == mutex &&
           t->sched->section(&p.call) == PV_SECTION_ENDS;
    bool fits = (p.kind == PV_PEND_ACCESS && t->sections.now.n < LONG_SECTION) || ends;
    fits = fits && taken; /* the lock of a destroyed mutex fails */
    if (p.kind == PV_PEND_ACCESS) {
      pv_vec_push(&t->sections.now, p);
      e->transition.marks = pv_marks_both(e->transition.marks, pv_marks_of(t->vm, t->sched, &p));
    }
    e->steps += fits;
    by.inside = !ends;
    enum pv_outcome outcome = fits ? step(t, by, 0) : PV_RAN;
    if (!fits || outcome != PV_RAN) {
      pv_section_was_one(&t->sections, mutex);
      pv_section_apart(&t->sections, mutex);
      return outcome;
    }
  }
  e->transition.inner = pv_section_list(&t->sections);
  pv_section_was_one(&t->sections, mutex);
  return PV_RAN;
}

/* After a store, executes those that follow it, to the same place. */
static enum pv_outcome do_chain(struct pv_trace *t, struct pv_dpor_event *e,
                                struct pv_stepping by) {
  const struct pv_pending *first = &e->transition.what;
  enum pv_outcome outcome = PV_RAN;
  for (uint32_t n = 0; outcome == PV_RAN && n < LONG_SECTION; n++) {
    struct pv_pending p;
    pv_vm_pending(t->vm, e->transition.thread, &p);
    if (!pv_chain_bears(&p) || p.address != first->address || p.bytes != first->bytes) break;
    e->transition.chain = true;
    e->steps++;
    outcome = step(t, by, 0);
  }
  if (e->transition.chain) pv_section_was_one(&t->sections, first->address);
  return outcome;
}

static void stick(struct pv_enabled_set *f, unsigned thread, enum pv_outcome outcome) {
  if (outcome == PV_ENDED || outcome == PV_PRUNED)
    f->stuck = ~(pv_threads)0;
  else if (outcome != PV_RAN)
    f->stuck |= PV_THREAD_BIT(thread);
}

enum { MANY = 1 << 14 }; /* eager operations in a row; then some thread loops forever */

/* Executes the eager operation at which the thread is parked. */
static enum pv_outcome do_eagerly(struct pv_trace *t, struct pv_enabled_set *f, unsigned thread) {
  struct pv_parked *at = &f->at[thread];
  if (f->hiding & PV_THREAD_BIT(thread)) {
    f->waited |= PV_THREAD_BIT(thread);
    at->waited_at = at->next;
  }
  enum pv_outcome outcome =
      step(t, (struct pv_stepping){thread, pv_trace_base(t, at->base), false, true}, 0);
  stick(f, thread, outcome);
  make_enabled_set(t, f, thread, true);
  return outcome;
}

static enum pv_outcome settle(struct pv_trace *t, struct pv_enabled_set *f) {
  for (uint32_t n = 0; n < MANY; n++) {
    pv_threads set = f->eager & f->able & ~f->stuck;
    if (!set) return PV_RAN;
    enum pv_outcome outcome = do_eagerly(t, f, (unsigned)__builtin_ctzll(set));
    if (outcome == PV_ENDED || outcome == PV_PRUNED) return outcome;
  }
  PV_FOR_THREADS(i, f->hiding & f->able & ~f->stuck)
  pv_predicate_need(t->predicate, &t->pendings.at[f->at[i].next]);
  return PV_RAN;
}

static void note_races(struct pv_trace *t, uint32_t event) {
  struct pv_dpor_event *e = &t->events.at[event];
  t->races.n = e->races;
  e->n_races = pv_trace_races(t, event, &e->transition, &e->clock);
}

static void copy_enabled_set(struct pv_enabled_set *to, const struct pv_enabled_set *from) {
  memcpy(to, from, offsetof(struct pv_enabled_set, at) + from->n * sizeof from->at[0]);
}

static struct pv_enabled_set *push_enabled_set(struct pv_trace *t) {
  pv_vec_reserve(&t->enabled_sets, t->enabled_sets.n + 1);
  struct pv_enabled_set *f = &t->enabled_sets.at[t->enabled_sets.n++];
  copy_enabled_set(f, f - 1);
  return f;
}

/* Executes the thread's part of the event. */
static enum pv_outcome do_event(struct pv_trace *t, struct pv_dpor_event *e) {
  uint32_t event = (uint32_t)(e - t->events.at);
  bool block = e->transition.what.kind == PV_PEND_ATOMIC && e->transition.thread;
  uint64_t used = block ? t->sched->used_set(pv_vm_sched_state(t->vm)) : 0;
  bool one = pv_trace_is_section(t, &e->transition);
  if (!one) note_races(t, event);
  struct pv_own_event own = {event, e->transition.marks};
  pv_vec_push(&t->of[e->transition.thread], own);
  struct pv_stepping by = {e->transition.thread, &e->clock, one, false};
  if (one) by.past = pv_trace_before(t, event, by.thread); /* its clock is not known yet */
  enum pv_outcome outcome = step(t, by, e->transition.alternative);
  if (pv_vm_was_idle(t->vm)) e->transition.what.call.phase |= PV_PHASE_IDLE;
  if (block && t->sched->used_set(pv_vm_sched_state(t->vm)) != used) stop_eagerness(t);
  if (one && outcome == PV_RAN) outcome = do_section(t, e, by);
  if (outcome == PV_RAN && pv_chain_may_be(&t->sections, &e->transition.what))
    outcome = do_chain(t, e, by);
  pv_vec_last(&t->of[e->transition.thread]).marks = e->transition.marks;
  if (one || e->transition.chain) note_races(t, event);
  e->failed = outcome != PV_RAN;
  return outcome;
}

/* Does the whole execution end in the middle of the event, as it can in an atomic section, although
 * other threads may do something before it? f: the enabled set before. */
static bool ends_inside(const struct pv_dpor_event *e, const struct pv_enabled_set *f,
                        enum pv_outcome outcome) {
  bool ends = outcome == PV_ENDED || outcome == PV_PRUNED;
  return ends && e->transition.what.kind != PV_PEND_END &&
         (f->alive & ~PV_THREAD_BIT(e->transition.thread));
}

uint32_t pv_trace_section(const struct pv_trace *t, uint32_t event) {
  while (event && t->enabled_sets.at[event].exclusive != PV_NO_THREAD) event--;
  return event;
}

/* Removes an event that ended the execution, with the earlier events of its section. Operations of
 * others may come before it, so they continue as if it had not been executed. Its thread does not
 * continue: an operation that changes what it read races with it. */
static void take_out(struct pv_trace *t, uint32_t event, struct pv_enabled_set *f) {
  uint32_t first = pv_trace_section(t, event);
  unsigned thread = t->events.at[event].transition.thread;
  for (uint32_t i = first; i <= event; i++) t->events.at[i].undone = true;
  pv_journal_keep(&t->journal);
  pv_journal_revert(&t->journal, t->events.at[first].before);
  if (first == event) t->heap.at.n = t->events.at[event].heap;
  copy_enabled_set(f, &t->enabled_sets.at[first]);
  f->awaiting |= PV_THREAD_BIT(thread);
  pv_trace_cut(t, thread);
}

static enum pv_outcome do_transition(struct pv_trace *t, const struct pv_transition *transition) {
  uint32_t event = t->events.n;
  unsigned thread = transition->thread;
  pv_vec_reserve(&t->events, event + 1);
  struct pv_dpor_event *e = &t->events.at[event];
  e->transition = *transition;
  if (t->exchanges) e->exchange = pv_exchange_of(t, &e->transition);
  t->events.n++;
  e->failed = e->quiet = e->idle = e->undone = false;
  e->hid = e->eager_threads = 0;
  e->held = 0;
  e->steps = 1;
  e->before = pv_journal_at(&t->journal);
  e->pendings = t->pendings.n;
  e->joins = t->joins.n;
  e->heap = t->heap.at.n;
  e->publications = t->publications.n;
  e->fences = t->fences.n;
  e->races = t->races.n;
  uint64_t instructions = pv_vm_instructions(t->vm);
  pv_vm_set_observed(t->vm, pv_trace_enabled_set(t)->observed);
  enum pv_outcome outcome = do_event(t, e);
  e->instructions = pv_vm_instructions(t->vm) - instructions;
  if (t->exchanges) pv_exchange_was(t, e);
  struct pv_enabled_set *f = push_enabled_set(t);
  if (ends_inside(e, f, outcome)) {
    take_out(t, event, f);
    return outcome;
  }
  f->at[thread].base = base_of_event(event);
  stick(f, thread, outcome);
  make_enabled_set(t, f, thread, pv_vm_component(t->vm, 0)->dirty);
  if (f->eager & f->able & ~f->stuck) {
    enum pv_outcome settled = settle(t, f);
    if (outcome == PV_RAN) outcome = settled;
  }
  e->instructions = pv_vm_instructions(t->vm) - instructions;
  if (pv_vm_renumbers(t->vm)) stop_eagerness(t);
  pv_journal_keep(&t->journal);
  e->quiet = (e->failed || e->transition.what.kind == PV_PEND_ACCESS) && pv_await_quiet(t, e);
  e->idle = !e->failed && pv_await_idle(t, e);
  if (!e->failed && pv_await_returned(t, thread)) {
    f->awaiting |= PV_THREAD_BIT(thread);
    pv_trace_cut(t, thread);
  }
  pv_waits_note(t);
  return outcome;
}

enum pv_outcome pv_trace_do(struct pv_trace *t, const struct pv_transition *transition) {
  if (t->coverage) pv_coverage_begin(t->coverage);
  enum pv_outcome outcome = do_transition(t, transition);
  if (t->coverage) pv_coverage_push(t->coverage, outcome);
  return outcome;
}

void pv_trace_cut(struct pv_trace *t, unsigned thread) {
  struct pv_enabled_set *f = &pv_vec_last(&t->enabled_sets);
  f->stuck |= PV_THREAD_BIT(thread);
  make_enabled_set(t, f, PV_NO_THREAD, false);
}

void pv_trace_undo(struct pv_trace *t) {
  const struct pv_dpor_event *e = &t->events.at[--t->events.n];
  if (e->undone) /* the other events of its section are executed again */
    for (uint32_t i = pv_trace_section(t, t->events.n); i < t->events.n; i++)
      t->events.at[i].undone = false;
  t->of[e->transition.thread].n--;
  t->enabled_sets.n--;
  t->pendings.n = e->pendings;
  t->joins.n = e->joins;
  t->heap.at.n = e->heap;
  t->publications.n = e->publications;
  t->fences.n = e->fences;
  t->races.n = e->races;
  pv_waits_undo(&t->waits, t->events.n);
  if (t->coverage) pv_coverage_pop(t->coverage);
  if (t->task->listeners)
    pv_tell(t->task->listeners, &(proviso_event){.kind = PROVISO_EVENT_BACKTRACK});
  pv_journal_back(&t->journal, e->before);
}

uint64_t pv_trace_bytes(const struct pv_trace *t) {
  return pv_journal_bytes(&t->journal) + t->events.cap * sizeof *t->events.at +
         t->enabled_sets.cap * sizeof *t->enabled_sets.at +
         t->pendings.cap * sizeof *t->pendings.at;
}
