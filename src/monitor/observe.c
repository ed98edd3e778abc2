#include "monitor/observe.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "ir/ir.h"
#include "vm/moves.h"

static const struct pv_runtime_analysis *const analyses[] = {&pv_happens_before, &pv_eraser,
                                                             &pv_lock_trees, &pv_lock_cycles};
enum {
  ANALYSES = sizeof analyses / sizeof *analyses,
  ROW = 1000 /* steps of one thread in a row */
};

struct observer {
  const struct pv_task *task;
  const struct pv_sched *sched;
  struct pv_vm *vm;
  struct pv_observation *out;
  struct pv_map places;
  void *self[ANALYSES];
  uint64_t lot; /* random.h */
  bool draws;
  unsigned last, row;
};

/* ---- places and names ------------------------------------------------------------------------ */
static uint32_t place_of(struct observer *o, unsigned thread, const struct pv_pending *p) {
  const struct pv_program *program = o->task->program;
  struct pv_str text = {0};
  uint32_t line = 0;
  for (uint32_t depth = pv_vm_depth(o->vm, thread); depth-- > 0;) {
    uint32_t function;
    pv_loc loc;
    pv_vm_frame(o->vm, thread, depth, &function, &loc);
    const struct pv_function *f = &program->functions.at[function];
    const struct pv_edge *call = pv_vm_frame_call(o->vm, thread, depth), *e = call ? call : p->edge;
    if (f->is_model || !e || !pv_span_of(program, e->span)->line) continue;
    const char *file = pv_span_file(program, e->span);
    uint32_t at = pv_span_of(program, e->span)->line;
    if (!line)
      pv_str_addf(&text, "%s (%s:%u)", f->name, file, at);
    else
      pv_str_addf(&text, ", called at %s:%u", file, at);
    if (!line) line = at;
  }
  bool is_new;
  uint32_t i = *pv_map_put_str(&o->places, pv_str_cstr(&text), o->out->places.n, &is_new);
  if (is_new) {
    pv_vec_push(&o->out->places, pv_strdup(pv_str_cstr(&text)));
    pv_vec_push(&o->out->lines, line);
  }
  pv_str_free(&text);
  return i;
}

static char *name_of(struct observer *o, uint64_t address) {
  struct pv_str name = {0};
  if (!pv_vm_name_place(o->vm, address, &name)) pv_vm_name_address(o->vm, address, &name);
  char *text = name.n ? pv_strdup(name.at) : pv_format("0x%llx", (unsigned long long)address);
  pv_str_free(&name);
  return text;
}

static void name_lock(struct observer *o, uint64_t lock) {
  bool is_new;
  pv_map_put(&o->out->locks, &lock, sizeof lock, o->out->lock_names.n, &is_new);
  if (is_new) pv_vec_push(&o->out->lock_names, name_of(o, lock));
}

static void name_warnings(struct observer *o) {
  struct pv_observation *out = o->out;
  while (out->names.n < out->warnings.list.n) {
    uint64_t at = out->warnings.list.at[out->names.n].at;
    pv_vec_push(&out->names, at ? name_of(o, at) : NULL);
  }
}

static void tell(struct observer *o, struct pv_observed e) {
  if (e.kind == PV_OBSERVED_LOCK) name_lock(o, e.at);
  for (unsigned i = 0; i < ANALYSES; i++) analyses[i]->tell(o->self[i], &e, &o->out->warnings);
  name_warnings(o);
}

/* ---- events ---------------------------------------------------------------------------------- */
static bool is_release(enum pv_order o) {
  return o == PV_ORDER_RELEASE || o == PV_ORDER_ACQ_REL || o == PV_ORDER_SEQ_CST;
}

static bool is_acquire(enum pv_order o) {
  return o == PV_ORDER_ACQUIRE || o == PV_ORDER_ACQ_REL || o == PV_ORDER_SEQ_CST;
}

/* Does the pending compare-and-exchange store nothing? */
static bool stays(struct observer *o, const struct pv_pending *p) {
  uint64_t there, expected;
  return p->edge->op == PV_OP_CMPXCHG && p->bytes <= 8 &&
         pv_vm_read(o->vm, p->address, p->bytes, &there) &&
         pv_vm_exchange(o->vm, p->thread, &expected) && there != expected;
}

static void tell_access(struct observer *o, const struct pv_pending *p, uint32_t place) {
  bool reads = !p->write || p->edge->op == PV_OP_RMW || p->edge->op == PV_OP_CMPXCHG;
  bool fails = stays(o, p);
  enum pv_order order = fails ? p->edge->order2 : p->edge->order;
  struct pv_observed e = {.thread = p->thread,
                          .place = place,
                          .at = p->address,
                          .bytes = p->bytes,
                          .atomic = p->atomic,
                          .acquires = is_acquire(order),
                          .releases = is_release(order)};
  e.kind = PV_OBSERVED_READ;
  if (reads) tell(o, e);
  e.kind = PV_OBSERVED_WRITE;
  e.updates = reads;
  if (p->write && !fails) tell(o, e);
}

/* The primitive that unlocks what the call locks or unlocks; NULL: the object is no lock. */
static const struct pv_prim *unlock_of(const struct observer *o, const struct pv_prim *prim) {
  const char *end = strrchr(prim->name, '_');
  if (prim->class != PV_PRIM_OBJECT || !end) return NULL;
  char *name = pv_format("%.*sunlock", (int)(end + 1 - prim->name), prim->name);
  const struct pv_prim *found = pv_sched_find(o->sched, name);
  free(name);
  return found;
}

struct lock {
  struct pv_prim_call unlock;
  bool is_lock, held;
};
static struct lock lock_of(struct observer *o, const struct pv_prim_call *c) {
  struct lock l = {
      .unlock = {.thread = c->thread, .prim = unlock_of(o, c->prim), .args = {c->args[0]}}};
  if (c->prim->two_objects) { /* a condition variable, whose mutex is the second one */
    l.unlock.prim = pv_sched_find(o->sched, "pthread_mutex_unlock");
    l.unlock.args[0] = c->args[1];
  }
  l.is_lock = l.unlock.prim;
  l.held = l.is_lock && o->sched->holds(pv_vm_sched_state(o->vm), &l.unlock);
  return l;
}

static void tell_primitive(struct observer *o, const struct pv_pending *p, uint32_t place,
                           unsigned alternative, enum pv_outcome *outcome) {
  const struct pv_prim_call *c = &p->call;
  struct pv_observed e = {.thread = p->thread, .place = place, .at = c->args[0]};
  struct lock before = lock_of(o, c);
  bool other = c->prim->class == PV_PRIM_OBJECT && (!before.is_lock || c->prim->two_objects);
  uint64_t alive = pv_vm_alive_set(o->vm);
  unsigned joined = c->prim->role == PV_ROLE_JOINS ? o->sched->awaited(pv_vm_sched_state(o->vm), c)
                                                   : PV_MAX_THREADS;
  e.kind = PV_OBSERVED_RELEASE;
  if (other && c->prim->release) tell(o, e);
  *outcome = pv_vm_step(o->vm, p->thread, alternative);
  uint64_t created = pv_vm_alive_set(o->vm) & ~alive;
  struct lock after = lock_of(o, c);
  if (before.held != after.held) {
    struct pv_observed l = e;
    l.kind = after.held ? PV_OBSERVED_LOCK : PV_OBSERVED_UNLOCK;
    l.at = after.unlock.args[0];
    l.shared = strstr(c->prim->name, "rdlock");
    tell(o, l);
  }
  unsigned phase = o->sched->phase(pv_vm_sched_state(o->vm), c);
  e.kind = PV_OBSERVED_ACQUIRE;
  if (other && c->prim->acquire && !(phase & PV_PHASE_UNDER_WAY) &&
      !(c->prim->fails && pv_vm_was_idle(o->vm)))
    tell(o, e);
  PV_FOR_THREADS(t, created) {
    e.kind = PV_OBSERVED_FORK;
    e.at = t;
    tell(o, e);
  }
  e.kind = PV_OBSERVED_JOIN;
  e.at = joined;
  if (joined < PV_MAX_THREADS) tell(o, e);
}

static void tell_end_of_object(struct observer *o, const struct pv_pending *p, uint32_t place) {
  uint64_t base, size;
  if (!pv_vm_object_span(o->vm, p->address, &base, &size)) return;
  tell(o, (struct pv_observed){.kind = PV_OBSERVED_FORGET,
                               .thread = p->thread,
                               .place = place,
                               .at = base,
                               .bytes = (uint32_t)size});
}

static enum pv_outcome step(struct observer *o, const struct pv_pending *p, unsigned alternative) {
  enum pv_outcome outcome = PV_RAN;
  uint32_t place = place_of(o, p->thread, p);
  if (p->kind == PV_PEND_PRIM) {
    tell_primitive(o, p, place, alternative, &outcome);
    return outcome;
  }
  if (p->kind == PV_PEND_ACCESS) tell_access(o, p, place);
  if (p->kind == PV_PEND_FREE) tell_end_of_object(o, p, place);
  return pv_vm_step(o->vm, p->thread, alternative);
}

/* ---- the execution --------------------------------------------------------------------------- */
static unsigned choose_thread(struct observer *o, const struct pv_moves *m) {
  pv_threads able = m->lively ? m->lively : m->able;
  if (o->draws) {
    for (uint32_t i = pv_random_below(&o->lot, (uint32_t)__builtin_popcountll(able)); i; i--)
      able &= able - 1;
    return (unsigned)__builtin_ctzll(able);
  }
  bool stays_on = (able & PV_THREAD_BIT(o->last)) && o->row < ROW;
  pv_threads later = able & ~(PV_THREAD_BIT(o->last) | (PV_THREAD_BIT(o->last) - 1));
  unsigned thread = stays_on ? o->last : (unsigned)__builtin_ctzll(later ? later : able);
  o->row = thread == o->last ? o->row + 1 : 0;
  return thread;
}

static char *end_of(const struct observer *o, enum pv_outcome outcome) {
  const struct pv_event *e = pv_vm_event(o->vm);
  switch (outcome) {
  case PV_VIOLATED:
    return pv_format("it ends in an error at %s:%u: %s", pv_span_file(o->task->program, e->span),
                     pv_span_of(o->task->program, e->span)->line, e->message);
  case PV_CUT: return pv_strdup("it comes to something that is not modelled");
  case PV_PRUNED: return pv_strdup("it is aborted, or an assumption fails");
  default: return NULL;
  }
}

static void execute(struct observer *o) {
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_moves m;
  for (o->out->steps = 0; o->out->steps < PV_OBSERVED_STEPS; o->out->steps++) {
    if (pv_limits_check(o->task->limits, o->out->steps) != PV_LIMIT_NONE) break;
    pv_moves_peek(o->vm, next, &m);
    if (!m.able) {
      if (m.alive) o->out->end = pv_strdup("it ends in a deadlock");
      return;
    }
    unsigned thread = choose_thread(o, &m);
    unsigned alternative = o->draws ? pv_random_below(&o->lot, m.alternatives[thread]) : 0;
    o->last = thread;
    enum pv_outcome outcome = step(o, m.next[thread], alternative);
    if (outcome == PV_RAN) continue;
    o->out->end = end_of(o, outcome);
    return;
  }
  o->out->end = pv_strdup("it goes on beyond the limit");
}

void pv_observe(const struct pv_task *task, struct pv_observation *out) {
  struct pv_condition condition = {0};
  struct observer o = {.task = task, .sched = pv_sched_of(task->program->sched), .out = out};
  o.draws = task->options->seed != 0;
  o.lot = (uint64_t)task->options->seed;
  o.vm = pv_vm_new(task, o.sched, &condition);
  pv_vm_start(o.vm);
  pv_vm_set_observed(o.vm, true);
  for (unsigned i = 0; i < ANALYSES; i++) o.self[i] = analyses[i]->begin();
  execute(&o);
  for (unsigned i = 0; i < ANALYSES; i++) {
    analyses[i]->end(o.self[i], &out->warnings);
    analyses[i]->free(o.self[i]);
  }
  name_warnings(&o);
  pv_map_free(&o.places);
  pv_vm_free(o.vm);
  pv_condition_clear(&condition);
}

/* ---- text ------------------------------------------------------------------------------------ */
static const char *lock_name(const struct pv_observation *o, uint64_t lock) {
  const uint32_t *i = pv_map_get(&o->locks, &lock, sizeof lock);
  return i ? o->lock_names.at[*i] : "a lock";
}

static void print_side(const struct pv_observation *o, const struct pv_warning *w, uint32_t k,
                       struct pv_str *out) {
  const struct pv_warning_side *side = &w->side[k];
  pv_str_addf(out, "  thread %u ", side->thread);
  if (w->kind == PV_WARNING_LOCK_ORDER)
    pv_str_addf(out, "takes %s", lock_name(o, side->lock));
  else
    pv_str_add(out, side->writes ? "writes" : "reads");
  pv_str_addf(out, " in %s, holding ", o->places.at[side->place]);
  for (uint32_t i = 0; i < side->held.n; i++)
    pv_str_addf(out, "%s%s", i ? ", " : "", lock_name(o, side->held.at[i]));
  pv_str_add(out, side->held.n ? "\n" : "no lock\n");
}

void pv_observation_print(const struct pv_observation *o,
                          const char *(*outcome)(void *user, uint32_t i), void *user,
                          struct pv_str *out) {
  for (uint32_t i = 0; i < o->warnings.list.n; i++) {
    const struct pv_warning *w = &o->warnings.list.at[i];
    const char *said = outcome ? outcome(user, i) : NULL;
    switch (w->kind) {
    case PV_WARNING_LOCKSET:
      pv_str_addf(out, "Warning: no lock protects %s", o->names.at[i]);
      break;
    case PV_WARNING_RACE:
      pv_str_addf(out, "Warning: data race on %s: nothing orders these accesses", o->names.at[i]);
      break;
    case PV_WARNING_LOCK_ORDER:
      pv_str_add(out, w->n == 2 ? "Warning: two threads take two locks in opposite orders"
                                : "Warning: threads take locks in a circle");
      break;
    }
    pv_str_addf(out, "%s%s%s\n", said ? " (" : "", said ? said : "", said ? ")" : "");
    for (uint32_t k = 0; k < w->n; k++) print_side(o, w, k, out);
  }
  if (o->end) pv_str_addf(out, "The execution was observed until %s.\n", o->end);
}

void pv_observation_clear(struct pv_observation *o) {
  free(o->end);
  pv_warnings_free(&o->warnings);
  for (uint32_t i = 0; i < o->places.n; i++) free(o->places.at[i]);
  for (uint32_t i = 0; i < o->names.n; i++) free(o->names.at[i]);
  for (uint32_t i = 0; i < o->lock_names.n; i++) free(o->lock_names.at[i]);
  pv_vec_free(&o->places);
  pv_vec_free(&o->lines);
  pv_vec_free(&o->names);
  pv_vec_free(&o->lock_names);
  pv_map_free(&o->locks);
}
