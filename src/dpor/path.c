#include "dpor/path.h"

#include <stdlib.h>
#include <string.h>

#define PV_NO_EVENT UINT32_MAX

/* Executes the events of a trace in another VM, operation by operation. */
struct follow {
  const struct pv_trace *trace;
  const struct pv_task *task;
  struct pv_vm *vm;
  struct pv_condition none; /* provisos of this VM are dropped */
  pv_choices *out;
  pv_threads others[PV_MAX_THREADS]; /* by thread: those that were alive when it parked */
  pv_threads known;                  /* threads that exist or existed */
  /* Eager operations of the thread: executed so far, and the most to execute. Operations that end a
   * path, and endless sequences of operations, are left out: the thread is not involved in the
   * error. */
  uint32_t eager[PV_MAX_THREADS], most[PV_MAX_THREADS];
  unsigned last; /* the thread whose path the error in the last event ends, or PV_NO_THREAD */
  bool again;    /* a thread did not continue; `fails` or `most` have changed */
  uint64_t instructions; /* the instructions that the search executed in the current event */
  bool loosely;
  uint32_t own;   /* of the path: what is behind it are eager operations of the latest event */
  uint8_t *fails; /* by event: its first step ends the path of its thread */
};

/* Is the thread parked at the second stage of a wait? */
static bool is_under_way(const struct follow *f, const struct pv_pending *p) {
  return p->kind == PV_PEND_PRIM &&
         (f->trace->sched->phase(pv_vm_sched_state(f->vm), &p->call) & PV_PHASE_UNDER_WAY);
}

/* Executes one step. While only one thread is alive, a VM without observation continues to the next
 * operation with several alternatives (vm.h); operations before it are no steps. */
static bool step(struct follow *f, unsigned thread, unsigned alternative) {
  struct pv_pending p;
  struct pv_choice c = {thread, alternative};
  if (!pv_vm_is_alive(f->vm, thread)) return false; /* its creator is not involved in this path */
  pv_vm_pending(f->vm, thread, &p);
  bool parks = p.kind == PV_PEND_LOCAL || p.kind == PV_PEND_INPUT || p.progress > 1 ||
               p.alternatives > 1 || is_under_way(f, &p);
  if (f->others[thread] || parks || !f->out->n) pv_vec_push(f->out, c);
  bool ran = pv_vm_step(f->vm, thread, alternative) == PV_RAN;
  if (pv_vm_threads(f->vm) > 1) pv_vm_set_observed(f->vm, true);
  f->others[thread] = pv_vm_alive_set(f->vm) & ~PV_THREAD_BIT(thread);
  return ran;
}

/* Is the thread parked at an eager operation? In this VM no thread is hidden. */
static bool is_eager(const struct follow *f, unsigned thread) {
  struct pv_pending p;
  if (!pv_vm_is_alive(f->vm, thread) || f->eager[thread] >= f->most[thread]) return false;
  pv_vm_pending(f->vm, thread, &p);
  if (p.kind == PV_PEND_ALLOC && !pv_vm_may_come_back(f->trace->vm, p.write, p.bytes)) return true;
  bool may_park = p.kind == PV_PEND_ATOMIC || p.kind == PV_PEND_END || p.kind == PV_PEND_INPUT;
  if (may_park || p.kind == PV_PEND_NONE || p.progress != 1) return false;
  return !pv_predicate_matters(f->trace->predicate, &p) || pv_trace_is_eager(f->trace, f->vm, &p);
}

enum { MANY = 1 << 14 }; /* steps in a row beyond those in the event; then it is an endless loop */

/* Adds threads that did not exist before. */
static void meet(struct follow *f) {
  pv_threads now = pv_vm_alive_set(f->vm), created = now & ~f->known;
  PV_FOR_THREADS(i, created) f->others[i] = now & ~PV_THREAD_BIT(i);
  f->known |= now;
}

/* Executes the thread up to its next event. Threads that it creates begin after that, as in the
 * steps of vm.h. */
static bool go_on(struct follow *f, unsigned thread) {
  uint32_t from = f->eager[thread];
  for (;;) {
    meet(f);
    if (!is_eager(f, thread)) return true;
    bool many = f->eager[thread] - from >= MANY + f->instructions;
    if (many || !step(f, thread, 0)) {
      f->again = many || thread != f->last;
      if (f->again) f->most[thread] = many ? from : f->eager[thread];
      return false;
    }
    f->eager[thread]++;
  }
}

/* Executes all eager operations after a step of the thread: its own, those of threads that it
 * created, and those of threads that it may have enabled. */
static bool settle(struct follow *f, unsigned thread) {
  pv_threads before = f->known;
  if (!go_on(f, thread)) return false;
  PV_FOR_THREADS(i, f->known & ~before)
  if (!go_on(f, i)) return false;
  for (bool moved = true; moved;) {
    moved = false;
    PV_FOR_THREADS(i, pv_vm_alive_set(f->vm)) {
      if (!is_eager(f, i)) continue;
      if (!go_on(f, i)) return false;
      moved = true;
    }
  }
  return true;
}

static bool step_and_settle(struct follow *f, unsigned thread, unsigned alternative) {
  bool ran = step(f, thread, alternative);
  f->own = f->out->n;
  return ran && settle(f, thread);
}

static bool do_event(struct follow *f, uint32_t event) {
  const struct pv_dpor_event *e = &f->trace->events.at[event];
  struct pv_pending p;
  f->instructions = e->instructions;
  f->own = f->out->n;
  pv_vm_set_observed(f->vm, f->trace->enabled_sets.at[event].observed);
  /* Long loops park at different places if other operations in them are visible; so does a thread
   * before its first operation. */
  pv_vm_pending(f->vm, e->transition.thread, &p);
  if (e->transition.what.kind == PV_PEND_LOCAL && p.kind != PV_PEND_LOCAL)
    return settle(f, e->transition.thread);
  for (uint32_t k = 0; e->transition.what.kind != PV_PEND_LOCAL && p.kind == PV_PEND_LOCAL; k++) {
    if (k >= MANY + f->instructions || !step_and_settle(f, e->transition.thread, 0)) return false;
    pv_vm_pending(f->vm, e->transition.thread, &p);
  }
  bool runs = step_and_settle(f, e->transition.thread, e->transition.alternative);
  for (uint32_t k = 1; runs && k < e->steps; k++)
    runs = step_and_settle(f, e->transition.thread, 0);
  return runs;
}

/* If addresses are reused, an allocation depends on everything (vm/depend.h). The real dependence
 * may be smaller. */
static bool only_by_allocation(const struct pv_pending *a, const struct pv_pending *b) {
  if (a->kind != PV_PEND_ALLOC) return b->kind == PV_PEND_ALLOC && only_by_allocation(b, a);
  return b->kind != PV_PEND_ALLOC && b->kind != PV_PEND_FREE;
}

static bool is_after(const struct follow *f, uint32_t event, uint32_t earlier) {
  const struct pv_trace *t = f->trace;
  const struct pv_transition *a = &t->events.at[earlier].transition,
                             *b = &t->events.at[event].transition;
  if (!f->loosely) return t->events.at[event].clock.at[a->thread] >= a->index;
  if (a->thread == b->thread) return true;
  return pv_trace_ordered(t, a, b) && !only_by_allocation(&a->what, &b->what);
}

/* Executes all events before the last one, except those that come after an event whose thread does
 * not continue, and those that come after `without`. If an event failed after its first step,
 * because fewer operations are visible to the search, that step is executed. */
static bool do_before(struct follow *f, uint32_t without) {
  const struct pv_trace *t = f->trace;
  PV_VEC(uint32_t) out = {0};
  bool runs = true;
  for (uint32_t i = 0; i + 1 < t->events.n && runs; i++) {
    const struct pv_dpor_event *e = &t->events.at[i];
    if (e->undone) continue;
    bool reads =
        e->quiet || (e->transition.what.kind == PV_PEND_ACCESS && !e->transition.what.write);
    bool after = i == without || (f->loosely && !pv_vm_is_alive(f->vm, e->transition.thread));
    for (uint32_t k = 0; k < out.n && !after; k++) after = is_after(f, i, out.at[k]);
    bool owed = f->fails[i] ? !reads : i == without || (after && f->loosely);
    /* An event after a read does not depend on it; the clocks contain everything else. */
    if (owed) pv_vec_push(&out, i);
    if (after || f->fails[i]) continue;
    runs = do_event(f, i);
    if (!runs && !f->again && e->failed) f->fails[i] = f->again = true;
  }
  pv_vec_free(&out);
  return runs;
}

static void begin(struct follow *f) {
  if (f->vm) pv_vm_free(f->vm);
  f->vm = pv_vm_new(f->task, f->trace->sched, &f->none);
  f->out->n = 0;
  f->last = PV_NO_THREAD;
  f->again = false;
  memset(f->eager, 0, sizeof f->eager);
  memset(f->others, 0, sizeof f->others);
  pv_vm_start(f->vm);
  f->known = pv_vm_alive_set(f->vm);
}

/* Executes the last event. The thread whose path it ends must reach the end; if it loops instead,
 * there is no path. */
static bool do_last(struct follow *f) {
  uint32_t most = f->last != PV_NO_THREAD ? f->most[f->last] : 0;
  if (f->last != PV_NO_THREAD) f->most[f->last] = UINT32_MAX;
  bool runs = do_event(f, f->trace->events.n - 1);
  if (f->last == PV_NO_THREAD) return runs;
  if (f->most[f->last] != UINT32_MAX) f->again = false;
  f->most[f->last] = most;
  return runs;
}

/* Executes the trace up to the last event, and also that event if `last` is set. Returns false if
 * it cannot be reached. */
static bool follow(struct follow *f, uint32_t without, bool last, unsigned thread) {
  const struct pv_trace *t = f->trace;
  bool runs;
  memset(f->most, 0xff, sizeof f->most);
  f->fails = pv_alloc(t->events.n + 1);
  do {
    begin(f);
    runs = do_before(f, without);
    if (!runs || !last || !t->events.n) continue;
    f->last = thread;
    runs = do_last(f);
  } while (f->again);
  return runs;
}

static void end(struct follow *f) {
  pv_vm_free(f->vm);
  pv_condition_clear(&f->none);
  free(f->fails);
}

void pv_dpor_path(const struct pv_trace *t, unsigned thread, bool loosely, pv_choices *out) {
  struct follow f = {.trace = t, .task = t->task, .out = out, .loosely = loosely};
  follow(&f, PV_NO_EVENT, true, thread);
  end(&f);
}

bool pv_dpor_data_race(const struct pv_trace *t, uint32_t earlier, pv_choices *out,
                       struct pv_event *error) {
  struct follow f = {.trace = t, .task = t->task, .out = out};
  unsigned a = t->events.at[earlier].transition.thread,
           b = pv_vec_last(&t->events).transition.thread;
  bool runs = follow(&f, earlier, false, PV_NO_THREAD);
  bool found = runs && pv_vm_race(f.vm, a < b ? a : b, a < b ? b : a);
  if (found) *error = *pv_vm_event(f.vm);
  end(&f);
  return found;
}

/* ---- event by event -------------------------------------------------------------------------- */
struct pv_follower {
  struct follow f;
  struct pv_task task; /* without limits: it has to follow after one was hit, too */
  pv_choices path;
};

struct pv_follower *pv_follower_new(const struct pv_trace *t) {
  struct pv_follower *f = pv_alloc(sizeof *f);
  f->task = *t->task;
  f->task.limits = NULL;
  f->f.trace = t;
  f->f.task = &f->task;
  f->f.out = &f->path;
  memset(f->f.most, 0xff, sizeof f->f.most);
  begin(&f->f);
  return f;
}

void pv_follower_free(struct pv_follower *f) {
  end(&f->f);
  pv_vec_free(&f->path);
  free(f);
}

bool pv_follower_do(struct pv_follower *f, uint32_t event) {
  const struct pv_dpor_event *e = &f->f.trace->events.at[event];
  if (e->failed || e->undone || e->transition.what.kind == PV_PEND_END) return false;
  return do_event(&f->f, event) && !f->f.again;
}

uint32_t pv_follower_settled(const struct pv_follower *f) {
  return f->f.own;
}

const pv_choices *pv_follower_path(const struct pv_follower *f) {
  return &f->path;
}

bool pv_follower_is_at(const struct pv_follower *f, unsigned thread, const struct pv_pending *p,
                       unsigned *alternatives) {
  struct pv_pending here;
  if (!pv_vm_is_alive(f->f.vm, thread)) return false;
  pv_vm_pending(f->f.vm, thread, &here);
  unsigned progress;
  *alternatives = pv_vm_alternatives(f->f.vm, thread, &here, &progress);
  return here.kind == p->kind && here.edge == p->edge && here.address == p->address;
}
