#include "vm/events.h"

#include <stdlib.h>
#include <string.h>

#include "vm/moves.h"

/* A step, with what all of its events have in common. */
struct step {
  const struct pv_teller *t;
  const struct pv_pending *p;
  proviso_event event;
};

static void tell(const struct step *s, proviso_event_kind kind, uint64_t at) {
  proviso_event e = s->event;
  e.kind = kind;
  e.at = at;
  pv_tell(s->t->to, &e);
}

/* The innermost frame of the program's own code. */
static void set_place(struct step *s) {
  const struct pv_teller *t = s->t;
  for (uint32_t depth = pv_vm_depth(t->vm, s->p->thread); depth-- > 0 && !s->event.line;) {
    uint32_t function;
    pv_loc loc;
    pv_vm_frame(t->vm, s->p->thread, depth, &function, &loc);
    const struct pv_function *f = &t->program->functions.at[function];
    const struct pv_edge *call = pv_vm_frame_call(t->vm, s->p->thread, depth),
                         *e = call ? call : s->p->edge;
    if (f->is_model || !e || !pv_span_of(t->program, e->span)->line) continue;
    s->event.function = f->name;
    s->event.file = pv_span_file(t->program, e->span);
    s->event.line = pv_span_of(t->program, e->span)->line;
  }
}

/* ---- accesses -------------------------------------------------------------------------------- */
static bool is_release(enum pv_order o) {
  return o == PV_ORDER_RELEASE || o == PV_ORDER_ACQ_REL || o == PV_ORDER_SEQ_CST;
}

static bool is_acquire(enum pv_order o) {
  return o == PV_ORDER_ACQUIRE || o == PV_ORDER_ACQ_REL || o == PV_ORDER_SEQ_CST;
}

/* Does the pending compare-and-exchange store nothing? */
static bool stays(const struct pv_teller *t, const struct pv_pending *p) {
  uint64_t there, expected;
  return p->edge->op == PV_OP_CMPXCHG && p->bytes <= 8 &&
         pv_vm_read(t->vm, p->address, p->bytes, &there) &&
         pv_vm_exchange(t->vm, p->thread, &expected) && there != expected;
}

static void tell_access(struct step *s) {
  const struct pv_pending *p = s->p;
  bool reads = !p->write || p->edge->op == PV_OP_RMW || p->edge->op == PV_OP_CMPXCHG;
  bool fails = stays(s->t, p);
  enum pv_order order = fails ? p->edge->order2 : p->edge->order;
  s->event.bytes = p->bytes;
  s->event.atomic = p->atomic;
  s->event.acquires = is_acquire(order);
  s->event.releases = is_release(order);
  if (reads) tell(s, PROVISO_EVENT_READ, p->address);
  s->event.updates = reads;
  if (p->write && !fails) tell(s, PROVISO_EVENT_WRITE, p->address);
}

static void tell_end_of_object(struct step *s) {
  uint64_t base, size;
  if (!pv_vm_object_span(s->t->vm, s->p->address, &base, &size)) return;
  s->event.bytes = (uint32_t)size;
  tell(s, PROVISO_EVENT_FORGET, base);
}

/* ---- primitives ------------------------------------------------------------------------------ */
/* The primitive that unlocks what the call locks or unlocks; NULL: the object is no lock. */
static const struct pv_prim *unlock_of(const struct pv_sched *sched, const struct pv_prim *prim) {
  const char *end = strrchr(prim->name, '_');
  if (prim->class != PV_PRIM_OBJECT || !end) return NULL;
  char *name = pv_format("%.*sunlock", (int)(end + 1 - prim->name), prim->name);
  const struct pv_prim *found = pv_sched_find(sched, name);
  free(name);
  return found;
}

struct lock {
  struct pv_prim_call unlock;
  bool is_lock, held;
};
static struct lock lock_of(const struct pv_teller *t, const struct pv_prim_call *c) {
  struct lock l = {
      .unlock = {.thread = c->thread, .prim = unlock_of(t->sched, c->prim), .args = {c->args[0]}}};
  if (c->prim->two_objects) { /* a condition variable, whose mutex is the second one */
    l.unlock.prim = pv_sched_find(t->sched, "__proviso_mutex_unlock");
    l.unlock.args[0] = c->args[1];
  }
  l.is_lock = l.unlock.prim;
  l.held = l.is_lock && t->sched->holds(pv_vm_sched_state(t->vm), &l.unlock);
  return l;
}

static enum pv_outcome execute(const struct step *s, unsigned alternative) {
  return s->t->execute(s->t->user, s->p->thread, alternative);
}

static enum pv_outcome primitive(struct step *s, unsigned alternative) {
  const struct pv_teller *t = s->t;
  const struct pv_prim_call *c = &s->p->call;
  struct lock before = lock_of(t, c);
  bool other = c->prim->class == PV_PRIM_OBJECT && (!before.is_lock || c->prim->two_objects);
  uint64_t alive = pv_vm_alive_set(t->vm);
  unsigned joined = c->prim->role == PV_ROLE_JOINS ? t->sched->awaited(pv_vm_sched_state(t->vm), c)
                                                   : PV_MAX_THREADS;
  if (other && c->prim->release) tell(s, PROVISO_EVENT_RELEASE, c->args[0]);
  enum pv_outcome outcome = execute(s, alternative);
  uint64_t created = pv_vm_alive_set(t->vm) & ~alive;
  struct lock after = lock_of(t, c);
  if (before.held != after.held) {
    s->event.shared = strstr(c->prim->name, "rdlock");
    tell(s, after.held ? PROVISO_EVENT_LOCK : PROVISO_EVENT_UNLOCK, after.unlock.args[0]);
    s->event.shared = false;
  }
  unsigned phase = t->sched->phase(pv_vm_sched_state(t->vm), c);
  if (other && c->prim->acquire && !(phase & PV_PHASE_UNDER_WAY) &&
      !(c->prim->fails && pv_vm_was_idle(t->vm)))
    tell(s, PROVISO_EVENT_ACQUIRE, c->args[0]);
  PV_FOR_THREADS(created_thread, created)
  tell(s, PROVISO_EVENT_FORK, created_thread);
  if (joined < PV_MAX_THREADS) tell(s, PROVISO_EVENT_JOIN, joined);
  return outcome;
}

/* ---- one step -------------------------------------------------------------------------------- */
static void tell_fences(const struct pv_teller *t) {
  uint32_t n;
  const struct pv_fence *fences = pv_vm_fences(t->vm, &n);
  for (uint32_t i = 0; i < n; i++)
    pv_tell(t->to, &(proviso_event){.kind = PROVISO_EVENT_FENCE,
                                    .thread = fences[i].thread,
                                    .acquires = is_acquire(fences[i].order),
                                    .releases = is_release(fences[i].order)});
}

enum pv_outcome pv_tell_step(const struct pv_teller *t, const struct pv_pending *p,
                             unsigned alternative, unsigned alternatives) {
  struct step s = {t, p, {.thread = p->thread}};
  set_place(&s);
  if (pv_listens(t->to, PROVISO_EVENT_STEP) || pv_listens(t->to, PROVISO_EVENT_CHOICE)) {
    s.event.alternative = alternative;
    s.event.alternatives = alternatives;
    tell(&s, PROVISO_EVENT_STEP, 0);
    if (alternatives > 1) tell(&s, PROVISO_EVENT_CHOICE, 0);
    s.event.alternative = s.event.alternatives = 0;
  }
  if (p->kind == PV_PEND_ACCESS) tell_access(&s);
  if (p->kind == PV_PEND_FREE || p->kind == PV_PEND_SCOPE) tell_end_of_object(&s);
  enum pv_outcome outcome =
      p->kind == PV_PEND_PRIM ? primitive(&s, alternative) : execute(&s, alternative);
  tell_fences(t);
  return outcome;
}

void pv_tell_end(const struct pv_listeners *to, unsigned thread, uint64_t from,
                 enum pv_outcome outcome) {
  static const proviso_outcome outcomes[] = {[PV_ENDED] = PROVISO_OUTCOME_ENDED,
                                             [PV_PRUNED] = PROVISO_OUTCOME_PRUNED,
                                             [PV_CUT] = PROVISO_OUTCOME_CUT,
                                             [PV_VIOLATED] = PROVISO_OUTCOME_ERROR};
  if (outcome == PV_RAN) return;
  pv_tell(to, &(proviso_event){.kind = PROVISO_EVENT_END,
                               .thread = thread,
                               .from = from,
                               .outcome = outcomes[outcome]});
}

void pv_tell_error(const struct pv_listeners *to, const struct pv_program *p,
                   const struct pv_event *e) {
  if (!pv_listens(to, PROVISO_EVENT_ERROR)) return;
  pv_tell(to, &(proviso_event){.kind = PROVISO_EVENT_ERROR,
                               .thread = e->thread,
                               .file = pv_span_file(p, e->span),
                               .line = pv_span_of(p, e->span)->line,
                               .function = e->function ? e->function->name : NULL,
                               .property = pv_property_table[e->property].name,
                               .text = e->message});
}
