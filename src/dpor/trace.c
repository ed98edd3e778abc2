#include "dpor/trace.h"

#include <stdlib.h>
#include <string.h>

#include "dpor/await.h"

/* ---- fronts ---------------------------------------------------------------------------------- */
pv_threads pv_front_able(const struct pv_front *f) {
  pv_threads able = f->able & ~f->stuck, ends = able & f->ends;
  return able & ~ends ? able & ~ends : ends;
}

struct pv_deed pv_trace_next(const struct pv_trace *t, uint32_t n, unsigned thread) {
  const struct pv_front *f = &t->fronts.at[n];
  uint32_t done = t->of[thread].n;
  while (done && t->of[thread].at[done - 1] >= n) done--;
  struct pv_deed d = {.thread = thread, .way = PV_ANY_WAY, .index = done + 1};
  d.what = t->pendings.at[f->next[thread]];
  d.what.call.phase = f->phase[thread];
  d.hidden = f->hiding & PV_THREAD_BIT(thread);
  return d;
}

static void look_at(struct pv_trace *t, struct pv_front *f, unsigned thread) {
  struct pv_pending p;
  pv_vm_pending(t->vm, thread, &p);
  pv_section_look(&t->sections, t->sched, &p);
  f->next[thread] = t->pendings.n;
  pv_vec_push(&t->pendings, p);
}

/* Of a thread that has come to where it is. */
static void look_past(struct pv_trace *t, struct pv_front *f, unsigned thread, unsigned ways) {
  const struct pv_pending *p = &t->pendings.at[f->next[thread]];
  f->hiding &= ~PV_THREAD_BIT(thread);
  if (!t->predicate || p->kind == PV_PEND_END) return;
  if (p->kind == PV_PEND_LOCAL) {
    bool starts = !t->events.n; /* the program */
    if (!starts) pv_predicate_need_loop(t->predicate, t->vm, thread);
  } else if (pv_predicate_matters(t->predicate, p)) {
    if (f->waited & PV_THREAD_BIT(thread))
      pv_predicate_need(t->predicate, &t->pendings.at[f->waited_at[thread]]);
  } else {
    f->hiding |= PV_THREAD_BIT(thread);
    if (p->kind != PV_PEND_PRIM || ways > 1) pv_predicate_need(t->predicate, p);
  }
}

/* What ends but the path of its thread is no such end: others may be at one of their own. */
static bool ends_program(const struct pv_pending *p) {
  if (p->kind != PV_PEND_END) return false;
  switch ((enum pv_stop)p->edge->aux) {
  case PV_STOP_EXIT:
  case PV_STOP_ABORT:
  case PV_STOP_ASSUME: return true;
  case PV_STOP_UNSUPPORTED:
  case PV_STOP_UNREACHABLE:
  case PV_STOP_OBSERVER: break;
  }
  return false;
}

/* Brings the front up to date after `mover` moved; threads that are new to it are looked at, too.
 */
static void make_front(struct pv_trace *t, struct pv_front *f, unsigned mover, bool sched_changed) {
  pv_threads before = f->alive;
  f->n = pv_vm_threads(t->vm);
  if (f->n > t->slots) t->slots = f->n;
  f->attended |= f->n > 1;
  f->exclusive = pv_vm_exclusive(t->vm);
  f->alive = f->able = f->ends = 0;
  PV_FOR_THREADS(i, pv_vm_alive_set(t->vm) & ~f->stuck) {
    bool is_new = !(before & PV_THREAD_BIT(i));
    if (i == mover || is_new) look_at(t, f, i);
    if (is_new) f->created[i] = t->events.n;
    struct pv_pending *p = &t->pendings.at[f->next[i]];
    if (p->kind == PV_PEND_NONE) continue;
    bool moved = i == mover || is_new, prim = p->kind == PV_PEND_PRIM;
    unsigned progress = p->progress, ways = p->ways;
    if (prim && !moved && !sched_changed)
      progress = ways = f->ways[i];
    else if (prim || p->kind == PV_PEND_ALLOC)
      ways = pv_vm_ways(t->vm, i, p, &progress);
    if (prim && (moved || sched_changed))
      f->phase[i] = (uint8_t)t->sched->phase(pv_vm_sched_state(t->vm), &p->call);
    if (ways > progress) t->spurious = true;
    f->ways[i] = (uint16_t)progress;
    if (moved) look_past(t, f, i, progress);
    f->alive |= PV_THREAD_BIT(i);
    if (ends_program(p)) f->ends |= PV_THREAD_BIT(i);
    if (progress && (f->exclusive == PV_NO_THREAD || f->exclusive == i))
      f->able |= PV_THREAD_BIT(i);
  }
}

void pv_trace_begin(struct pv_trace *t, const struct pv_task *task, const struct pv_sched *sched,
                    struct pv_vm *vm, struct pv_predicate *predicate) {
  struct pv_front f = {0};
  *t = (struct pv_trace){.task = task, .sched = sched, .vm = vm, .predicate = predicate};
  t->sections.on = task->options->peek;
  bool races = task->properties & PV_PROP_BIT(PV_PROP_NO_DATA_RACE); /* of each store */
  t->sections.chains = task->options->prune && !races;
  pv_journal_begin(&t->journal, vm);
  make_front(t, &f, 0, true);
  pv_vec_push(&t->fronts, f);
}

void pv_trace_free(struct pv_trace *t) {
  pv_journal_free(&t->journal);
  pv_sections_free(&t->sections);
  pv_vec_free(&t->events);
  pv_vec_free(&t->fronts);
  pv_vec_free(&t->pendings);
  pv_vec_free(&t->races);
  for (unsigned i = 0; i < PV_MAX_THREADS; i++) pv_vec_free(&t->of[i]);
}

bool pv_trace_is_section(const struct pv_trace *t, const struct pv_deed *d) {
  return !d->hidden && pv_section_is_one(&t->sections, t->sched, &d->what);
}

enum { LONG_SECTION = 4096 }; /* accesses */

/* After the lock: the rest of the section, up to the unlock. */
static enum pv_outcome do_section(struct pv_trace *t, struct pv_dpor_event *e) {
  unsigned thread = e->deed.thread;
  uint64_t mutex = e->deed.what.call.args[0];
  bool ends = false;
  t->sections.now.n = 0;
  while (!ends) {
    struct pv_pending p;
    pv_vm_pending(t->vm, thread, &p);
    ends = p.kind == PV_PEND_PRIM && p.call.args[0] == mutex &&
           t->sched->section(&p.call) == PV_SECTION_ENDS;
    bool fits = (p.kind == PV_PEND_ACCESS && t->sections.now.n < LONG_SECTION) || ends;
    if (p.kind == PV_PEND_ACCESS) pv_vec_push(&t->sections.now, p);
    enum pv_outcome outcome = fits ? pv_vm_step(t->vm, thread, 0) : PV_RAN;
    e->steps += fits;
    if (!fits || outcome != PV_RAN) {
      pv_section_was_one(&t->sections, mutex);
      pv_section_apart(&t->sections, mutex);
      return outcome;
    }
  }
  e->deed.inner = pv_section_list(&t->sections);
  pv_section_was_one(&t->sections, mutex);
  return PV_RAN;
}

/* After a store: those that follow it, to the same place. */
static enum pv_outcome do_chain(struct pv_trace *t, struct pv_dpor_event *e) {
  const struct pv_pending *first = &e->deed.what;
  enum pv_outcome outcome = PV_RAN;
  for (uint32_t n = 0; outcome == PV_RAN && n < LONG_SECTION; n++) {
    struct pv_pending p;
    pv_vm_pending(t->vm, e->deed.thread, &p);
    if (!pv_chain_bears(&p) || p.address != first->address || p.bytes != first->bytes) break;
    outcome = pv_vm_step(t->vm, e->deed.thread, 0);
    e->deed.chain = true;
    e->steps++;
  }
  if (e->deed.chain) pv_section_was_one(&t->sections, first->address);
  return outcome;
}

static void note_races(struct pv_trace *t, struct pv_dpor_event *e) {
  t->races.n -= e->n_races;
  e->races = t->races.n;
  e->n_races = pv_trace_races(t, &e->deed, &e->clock);
}

enum pv_outcome pv_trace_do(struct pv_trace *t, unsigned thread, unsigned way) {
  struct pv_front f = *pv_trace_front(t);
  struct pv_dpor_event e = {.deed = pv_trace_next(t, t->events.n, thread),
                            .creator = f.created[thread],
                            .before = pv_journal_at(&t->journal),
                            .pendings = t->pendings.n,
                            .steps = 1};
  bool one = pv_trace_is_section(t, &e.deed);
  pv_vm_attend(t->vm, f.attended);
  if (!one) note_races(t, &e);
  e.deed.way = way;
  if (e.deed.hidden) {
    f.waited |= PV_THREAD_BIT(thread);
    f.waited_at[thread] = f.next[thread];
  }
  enum pv_outcome outcome = pv_vm_step(t->vm, thread, way);
  if (pv_vm_was_idle(t->vm)) e.deed.what.call.phase |= PV_PHASE_IDLE;
  if (one && outcome == PV_RAN) outcome = do_section(t, &e);
  if (outcome == PV_RAN && pv_chain_may_be(&t->sections, &e.deed.what)) outcome = do_chain(t, &e);
  if (one || e.deed.chain) note_races(t, &e);
  e.failed = outcome != PV_RAN;
  bool sched_changed = pv_vm_component(t->vm, 0)->dirty;
  pv_journal_keep(&t->journal);
  e.quiet = outcome == PV_RAN && e.deed.what.kind == PV_PEND_ACCESS && pv_await_quiet(t, &e);
  pv_vec_push(&t->of[thread], t->events.n);
  pv_vec_push(&t->events, e);
  if (e.quiet && pv_await_returned(t, thread)) {
    f.awaiting |= PV_THREAD_BIT(thread);
    f.stuck |= PV_THREAD_BIT(thread);
  }
  if (outcome == PV_ENDED || outcome == PV_PRUNED)
    f.stuck = ~(pv_threads)0;
  else if (outcome != PV_RAN)
    f.stuck |= PV_THREAD_BIT(thread);
  make_front(t, &f, thread, sched_changed);
  pv_vec_push(&t->fronts, f);
  return outcome;
}

void pv_trace_undo(struct pv_trace *t) {
  struct pv_dpor_event e = pv_vec_pop(&t->events);
  t->of[e.deed.thread].n--;
  t->fronts.n--;
  t->pendings.n = e.pendings;
  t->races.n = e.races;
  pv_journal_back(&t->journal, e.before);
}

uint64_t pv_trace_bytes(const struct pv_trace *t) {
  return pv_journal_bytes(&t->journal) + t->events.cap * sizeof *t->events.at +
         t->fronts.cap * sizeof *t->fronts.at + t->pendings.cap * sizeof *t->pendings.at;
}
