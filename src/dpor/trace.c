#include "dpor/trace.h"

#include <stdlib.h>
#include <string.h>

#include "dpor/await.h"
#include "vm/depend.h"

/* ---- order ----------------------------------------------------------------------------------- */
/* What of the order of two operations matters. What a primitive waits for may have to do with
 * anything before it; memory is never waited for. */
static enum pv_prim_order order_of_pending(const struct pv_trace *t, const struct pv_pending *a,
                                           const struct pv_pending *b) {
  if (a->kind == PV_PEND_END || b->kind == PV_PEND_END) return PV_ORDER_FREE;
  if (a->kind == PV_PEND_PRIM && b->kind == PV_PEND_PRIM)
    return t->sched->order(&a->call, &b->call);
  if (pv_independent(t->vm, t->sched, a, b)) return PV_ORDER_FREE;
  bool waits = b->kind == PV_PEND_PRIM && b->call.prim->may_block;
  return waits ? PV_ORDER_MAY_GIVE : PV_ORDER_MATTERS;
}

/* Do the accesses of a section, and what the other event is, or the accesses in it, commute? */
static bool inner_commute(const struct pv_trace *t, uint32_t list, const struct pv_deed *other) {
  uint32_t n, m = 1;
  const struct pv_pending *x = pv_section_accesses(&t->sections, list, &n), *y = &other->what;
  if (other->inner) y = pv_section_accesses(&t->sections, other->inner, &m);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < m; k++)
      if (order_of_pending(t, &x[i], &y[k]) != PV_ORDER_FREE) return false;
  return true;
}

static bool of_one_mutex(const struct pv_deed *a, const struct pv_deed *b) {
  return a->inner && b->inner && a->what.call.args[0] == b->what.call.args[0];
}

static enum pv_prim_order order_of(const struct pv_trace *t, const struct pv_deed *earlier,
                                   const struct pv_deed *later) {
  if (earlier->hidden || later->hidden) return PV_ORDER_FREE;
  if (!earlier->inner && !later->inner) return order_of_pending(t, &earlier->what, &later->what);
  bool commute = earlier->inner ? inner_commute(t, earlier->inner, later)
                                : inner_commute(t, later->inner, earlier);
  if (!commute) return PV_ORDER_MATTERS;
  if (of_one_mutex(earlier, later)) return PV_ORDER_FREE;
  return order_of_pending(t, &earlier->what, &later->what);
}

static void come_apart_chain(struct pv_trace *t, const struct pv_deed *a, const struct pv_deed *b) {
  if (a->chain && (b->inner || !pv_chain_bears(&b->what)))
    pv_section_apart(&t->sections, a->what.address);
}

/* The two race: a section is one event only if it races with nothing but its like. */
static void come_apart(struct pv_trace *t, const struct pv_deed *a, const struct pv_deed *b) {
  if (of_one_mutex(a, b)) return;
  if (a->inner) pv_section_apart(&t->sections, a->what.call.args[0]);
  if (b->inner) pv_section_apart(&t->sections, b->what.call.args[0]);
}

bool pv_trace_ordered(const struct pv_trace *t, const struct pv_deed *earlier,
                      const struct pv_deed *later) {
  return order_of(t, earlier, later) != PV_ORDER_FREE;
}

static void join(const struct pv_trace *t, struct pv_clock *c, const struct pv_clock *with) {
  for (unsigned i = 0; i < t->slots; i++)
    if (with->at[i] > c->at[i]) c->at[i] = with->at[i];
}

/* What happens before the thread's next event whatever that is: its last one, or its creation. */
static struct pv_clock clock_before(const struct pv_trace *t, unsigned thread, uint32_t index,
                                    uint32_t creator) {
  if (index > 1) {
    struct pv_clock c = t->events.at[t->of[thread].at[index - 2]].clock;
    if (creator) join(t, &c, &t->events.at[creator - 1].clock);
    return c;
  }
  return creator ? t->events.at[creator - 1].clock : (struct pv_clock){{0}};
}

const struct pv_clock *pv_trace_before(const struct pv_trace *t, uint32_t n,
                                       const struct pv_deed *deed) {
  uint32_t creator = t->fronts.at[n].created[deed->thread];
  if (deed->index > 1) return &t->events.at[t->of[deed->thread].at[deed->index - 2]].clock;
  return creator ? &t->events.at[creator - 1].clock : NULL;
}

/* Events of thread q, from the last one down to what is ordered anyway, that `deed` comes after:
 * joins their clocks and lists those that may race with it; how many. */
static uint32_t look_back(struct pv_trace *t, unsigned q, const struct pv_deed *deed,
                          uint32_t bound, struct pv_clock *clock, uint32_t *races, uint32_t room) {
  uint32_t n = 0;
  for (uint32_t i = t->of[q].n; i > bound; i--) {
    const struct pv_dpor_event *e = &t->events.at[t->of[q].at[i - 1]];
    enum pv_prim_order o = order_of(t, &e->deed, deed);
    if (o == PV_ORDER_FREE) continue;
    if (e->deed.inner || deed->inner) come_apart(t, &e->deed, deed);
    come_apart_chain(t, &e->deed, deed);
    come_apart_chain(t, deed, &e->deed);
    join(t, clock, &e->clock);
    if (o == PV_ORDER_GIVES) continue;
    if (n < room) races[n++] = t->of[q].at[i - 1];
    if (o == PV_ORDER_MATTERS) break;
  }
  return n;
}

static bool happens_before(const struct pv_trace *t, uint32_t a, uint32_t b) {
  const struct pv_deed *d = &t->events.at[a].deed;
  return a != b && t->events.at[b].clock.at[d->thread] >= d->index;
}

/* Does the event happen before another one on the list that could have come before `deed` as well?
 */
static bool is_covered(const struct pv_trace *t, uint32_t event, const uint32_t *list, uint32_t n,
                       const struct pv_deed *deed) {
  for (uint32_t i = 0; i < n; i++)
    if (happens_before(t, event, list[i]) &&
        order_of(t, &t->events.at[list[i]].deed, deed) == PV_ORDER_MATTERS)
      return true;
  return false;
}

static uint32_t find_races(struct pv_trace *t, const struct pv_deed *done, uint32_t *races,
                           struct pv_clock *clock) {
  uint32_t found[PV_RACES], n = 0, kept = 0, thread = done->thread;
  struct pv_deed deed = *done;
  *clock = clock_before(t, thread, deed.index, pv_trace_front(t)->created[thread]);
  const struct pv_clock base = *clock;
  for (unsigned q = 0; q < t->slots; q++)
    if (q != thread && t->of[q].n > base.at[q])
      n +=
          look_back(t, q, &deed, base.at[q], clock, found + n, n + 8 < PV_RACES ? 8 : PV_RACES - n);
  clock->at[thread] = deed.index;
  for (uint32_t i = 0; i < n; i++)
    if (!is_covered(t, found[i], found, n, &deed)) races[kept++] = found[i];
  return kept;
}

uint32_t pv_trace_races(struct pv_trace *t, unsigned thread, uint32_t *races,
                        struct pv_clock *clock) {
  struct pv_deed deed = pv_trace_next(t, t->events.n, thread);
  return find_races(t, &deed, races, clock);
}

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
    if (t->of[thread].n) pv_predicate_need_loop(t->predicate, t->vm, thread);
  } else if (pv_predicate_matters(t->predicate, p)) {
    if (f->waited & PV_THREAD_BIT(thread))
      pv_predicate_need(t->predicate, &t->pendings.at[f->waited_at[thread]]);
  } else {
    f->hiding |= PV_THREAD_BIT(thread);
    if (p->kind != PV_PEND_PRIM || ways > 1) pv_predicate_need(t->predicate, p);
  }
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
    if (p->kind == PV_PEND_END) f->ends |= PV_THREAD_BIT(i);
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
  uint32_t races[PV_RACES];
  t->races.n -= e->n_races;
  e->races = t->races.n;
  e->n_races = find_races(t, &e->deed, races, &e->clock);
  for (uint32_t i = 0; i < e->n_races; i++) pv_vec_push(&t->races, races[i]);
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
  if (!pv_vm_component(t->vm, 0)->dirty) e.deed.what.call.phase |= PV_PHASE_IDLE;
  if (one && outcome == PV_RAN) outcome = do_section(t, &e);
  if (outcome == PV_RAN && pv_chain_may_be(&t->sections, &e.deed.what)) outcome = do_chain(t, &e);
  if (one || e.deed.chain) note_races(t, &e);
  e.failed = outcome != PV_RAN;
  e.quiet = outcome == PV_RAN && e.deed.what.kind == PV_PEND_ACCESS && pv_await_quiet(t, thread);
  bool sched_changed = pv_journal_differs(&t->journal, 0);
  pv_journal_keep(&t->journal);
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
