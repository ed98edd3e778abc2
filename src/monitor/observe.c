#include "monitor/observe.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "ir/ir.h"
#include "vm/events.h"
#include "vm/moves.h"

enum { ROW = 1000 /* steps of one thread in a row */ };

struct observer {
  const struct pv_task *task;
  const struct pv_sched *sched;
  struct pv_vm *vm;
  const struct pv_condition *condition;
  struct pv_observation *out;
  struct pv_map places;
  void *self[PV_RUNTIME_ANALYSES];
  uint64_t lot; /* random.h */
  bool draws, newest_first;
  unsigned last, row;
  uint32_t place; /* where the thread is that moves */
  bool pruned;    /* it ended at an assumption */
  struct pv_log log;
  uint32_t predicted; /* the number of predictions of earlier executions */
  struct pv_listeners listeners;
};

/* ---- places and names ------------------------------------------------------------------------ */
static uint32_t place_of(struct observer *o, unsigned thread, const struct pv_pending *p) {
  const struct pv_program *program = o->task->program;
  struct pv_str text = {0};
  uint32_t line = 0, span = 0;
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
    if (!line) {
      line = at;
      span = e->span;
    }
  }
  bool is_new;
  uint32_t i = *pv_map_put_str(&o->places, pv_str_cstr(&text), o->out->places.n, &is_new);
  if (is_new) {
    pv_vec_push(&o->out->places, pv_strdup(pv_str_cstr(&text)));
    pv_vec_push(&o->out->lines, line);
    pv_vec_push(&o->out->spans, span);
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

/* ---- events ---------------------------------------------------------------------------------- */
_Static_assert((int)PROVISO_EVENT_FENCE - PROVISO_EVENT_READ ==
                   (int)PV_OBSERVED_FENCE - PV_OBSERVED_READ,
               "events and what analyses are told have the same order");

/* The analyses listen to the execution. */
static void hear(void *user, const proviso_event *e) {
  struct observer *o = user;
  struct pv_observed seen = {.kind = (enum pv_observed_kind)(e->kind - PROVISO_EVENT_READ),
                             .thread = e->thread,
                             .place = o->place,
                             .at = e->at,
                             .bytes = e->bytes,
                             .shared = e->shared,
                             .atomic = e->atomic,
                             .acquires = e->acquires,
                             .releases = e->releases,
                             .updates = e->updates};
  if (seen.kind == PV_OBSERVED_LOCK) name_lock(o, seen.at);
  pv_log_tell(&o->log, &seen);
  for (unsigned i = 0; i < PV_RUNTIME_ANALYSES; i++)
    pv_runtime_analyses[i]->tell(o->self[i], &seen, &o->out->warnings);
  name_warnings(o);
}

static enum pv_outcome execute_step(void *user, unsigned thread, unsigned alternative) {
  return pv_vm_step(((struct observer *)user)->vm, thread, alternative);
}

static enum pv_outcome step(struct observer *o, const struct pv_pending *p, unsigned alternative) {
  struct pv_teller t = {o->task->program, o->sched, o->vm, &o->listeners, execute_step, o};
  o->place = place_of(o, p->thread, p);
  pv_log_step(&o->log, (struct pv_choice){p->thread, alternative});
  return pv_tell_step(&t, p, alternative, p->alternatives);
}

/* ---- predictions ----------------------------------------------------------------------------- */
/* Executes steps again, without the others, and notes what a replay has to choose. While only one
 * thread is alive, its machine continues to the next operation with several alternatives (vm.h);
 * operations before it are no steps. */
struct again {
  struct pv_vm *vm;
  uint64_t others[PV_MAX_THREADS]; /* by thread: those that were alive when it parked */
  PV_VEC(struct pv_choice) out;
};

static bool step_again(struct again *a, const struct pv_sched *sched, struct pv_choice c) {
  struct pv_pending p;
  if (!pv_vm_is_alive(a->vm, c.thread)) return false;
  pv_vm_pending(a->vm, c.thread, &p);
  if (c.alternative >= p.alternatives) return false;
  bool under_way = p.kind == PV_PEND_PRIM &&
                   (sched->phase(pv_vm_sched_state(a->vm), &p.call) & PV_PHASE_UNDER_WAY);
  bool parks = p.kind == PV_PEND_LOCAL || p.kind == PV_PEND_INPUT || p.progress > 1 ||
               p.alternatives > 1 || under_way;
  uint64_t before = pv_vm_alive_set(a->vm);
  if (a->others[c.thread] || parks || !a->out.n) pv_vec_push(&a->out, c);
  bool ran = pv_vm_step(a->vm, c.thread, c.alternative) == PV_RAN;
  uint64_t now = pv_vm_alive_set(a->vm);
  a->others[c.thread] = now & ~PV_THREAD_BIT(c.thread);
  PV_FOR_THREADS(t, now & ~before) a->others[t] = now & ~PV_THREAD_BIT(t);
  return ran;
}

/* The threads that do not wait for each other go on until nothing can. */
static bool run_out(struct again *a, const struct pv_sched *sched) {
  enum { MOST = 20000 };
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_moves m;
  for (uint32_t i = 0; i < MOST; i++) {
    pv_moves_peek(a->vm, next, &m);
    if (!m.lively) return m.alive;
    if (!step_again(a, sched, (struct pv_choice){(unsigned)__builtin_ctzll(m.lively), 0}))
      return false;
  }
  return false;
}

static bool try_prediction(const struct observer *o, struct pv_prediction *x) {
  struct pv_condition condition = {0};
  struct again a = {.vm = pv_vm_new(o->task, o->sched, &condition)};
  bool feasible = true;
  pv_vm_start(a.vm);
  pv_vm_set_observed(a.vm, true);
  for (uint32_t i = 0; i < x->choices.n && feasible; i++)
    feasible = step_again(&a, o->sched, x->choices.at[i]);
  bool order = o->out->warnings.list.at[x->warning].kind >= PV_WARNING_LOCK_ORDER;
  if (feasible && order) feasible = run_out(&a, o->sched);
  pv_vec_free(&x->choices);
  for (uint32_t i = 0; i < a.out.n && feasible; i++) pv_vec_push(&x->choices, a.out.at[i]);
  pv_vec_free(&a.out);
  pv_vm_free(a.vm);
  pv_condition_clear(&condition);
  return feasible;
}

static void predict(struct observer *o) {
  uint32_t first = o->predicted;
  if (!o->sched->preemptive) return;
  pv_log_predict(&o->log, &o->out->warnings, &o->out->predictions);
  for (uint32_t i = first; i < o->out->predictions.list.n; i++)
    if (!try_prediction(o, &o->out->predictions.list.at[i]))
      o->out->predictions.list.at[i].choices.n = 0;
  o->out->window |= pv_log_window(&o->log, &o->out->warnings);
}

/* ---- the execution --------------------------------------------------------------------------- */
static unsigned choose_thread(struct observer *o, const struct pv_moves *m) {
  pv_threads able = m->lively ? m->lively : m->able;
  if (o->newest_first) {
    pv_threads older = able & (PV_THREAD_BIT(o->last) - 1);
    unsigned newest = 63 - (unsigned)__builtin_clzll(able);
    bool waits = newest == o->last && o->row >= ROW && older; /* it may wait in a loop */
    unsigned thread = waits ? 63 - (unsigned)__builtin_clzll(older) : newest;
    o->row = thread == o->last ? o->row + 1 : 0;
    return thread;
  }
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

/* The condition that does not hold here. */
static char *cut_off(const struct observer *o) {
  if (!o->condition->provisos.n) return pv_strdup("it comes to something that is not modelled");
  return pv_format("it no longer holds that %s", pv_vec_last(&o->condition->provisos).sentence);
}

static char *end_of(const struct observer *o, enum pv_outcome outcome) {
  const struct pv_event *e = pv_vm_event(o->vm);
  switch (outcome) {
  case PV_VIOLATED:
    return pv_format("it ends in an error at %s:%u: %s", pv_span_file(o->task->program, e->span),
                     pv_span_of(o->task->program, e->span)->line, e->message);
  case PV_CUT: return cut_off(o);
  case PV_PRUNED: return pv_strdup("it is aborted, or an assumption fails");
  default: return NULL;
  }
}

/* Of several executions, the first end that is not normal is told. */
static void set_end(struct observer *o, char *end) {
  if (o->out->end)
    free(end);
  else
    o->out->end = end;
}

/* The execution ends in a deadlock: its steps show it. */
static void warn_of_end(struct observer *o, const struct pv_moves *m) {
  struct pv_warning w = {.kind = PV_WARNING_DEADLOCK};
  struct pv_prediction shown = {0};
  set_end(o, pv_strdup("it ends in a deadlock"));
  PV_FOR_THREADS(t, m->alive)
  if (w.n < PV_WARNING_SIDES)
    w.side[w.n++] = (struct pv_warning_side){.thread = t, .place = place_of(o, t, m->next[t])};
  shown.warning = pv_warn(&o->out->warnings, &w);
  for (uint32_t i = 0; i < o->log.choices.n; i++) pv_vec_push(&shown.choices, o->log.choices.at[i]);
  pv_vec_push(&o->out->predictions.list, shown);
}

static void execute(struct observer *o) {
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_moves m;
  for (uint32_t steps = 0; steps < PV_OBSERVED_STEPS; steps++, o->out->steps++) {
    if (pv_limits_check(o->task->limits, o->out->steps) != PV_LIMIT_NONE) break;
    pv_moves_peek(o->vm, next, &m);
    if (!m.lively) { /* spurious wake-ups do not count: a deadlock does not wait for them */
      if (m.alive) warn_of_end(o, &m);
      return;
    }
    unsigned thread = choose_thread(o, &m);
    unsigned alternative = o->draws ? pv_random_below(&o->lot, m.alternatives[thread]) : 0;
    o->last = thread;
    enum pv_outcome outcome = step(o, m.next[thread], alternative);
    if (outcome == PV_RAN) continue;
    pv_tell_end(&o->listeners, thread, 0, outcome);
    if (outcome == PV_VIOLATED) pv_tell_error(&o->listeners, o->task->program, pv_vm_event(o->vm));
    o->pruned = outcome == PV_PRUNED;
    set_end(o, end_of(o, outcome));
    return;
  }
  set_end(o, pv_strdup("it goes on beyond the limit"));
}

static void listen(struct observer *o) {
  const uint64_t all = PROVISO_EVENT_BIT(PROVISO_EVENT_FENCE + 1) - 1;
  proviso_listener own = {
      .kinds = all & ~(PROVISO_EVENT_BIT(PROVISO_EVENT_READ) - 1), .tell = hear, .user = o};
  pv_listeners_add(&o->listeners, &own);
  for (uint32_t i = 0; o->task->listeners && i < o->task->listeners->list.n; i++)
    pv_listeners_add(&o->listeners, &o->task->listeners->list.at[i]);
}

bool pv_observe(const struct pv_task *task, bool newest_first, struct pv_observation *out) {
  struct pv_condition condition = {0};
  struct observer o = {.task = task, .sched = pv_sched_of(task->program->sched), .out = out};
  o.condition = &condition;
  o.draws = task->options->seed != 0;
  o.newest_first = newest_first;
  o.lot = (uint64_t)task->options->seed;
  o.predicted = out->predictions.list.n;
  listen(&o);
  struct pv_task told = *task;
  told.listeners = &o.listeners;
  o.vm = pv_vm_new(&told, o.sched, &condition);
  pv_vm_start(o.vm);
  pv_vm_set_observed(o.vm, true);
  for (uint32_t i = 0; i < out->places.n; i++) { /* of earlier executions */
    bool is_new;
    pv_map_put_str(&o.places, out->places.at[i], i, &is_new);
  }
  for (unsigned i = 0; i < PV_RUNTIME_ANALYSES; i++) o.self[i] = pv_runtime_analyses[i]->begin();
  execute(&o);
  for (unsigned i = 0; i < PV_RUNTIME_ANALYSES; i++) {
    pv_runtime_analyses[i]->end(o.self[i], &out->warnings);
    pv_runtime_analyses[i]->free(o.self[i]);
  }
  predict(&o);
  name_warnings(&o);
  out->choices.n = 0;
  for (uint32_t i = 0; i < o.log.choices.n; i++) pv_vec_push(&out->choices, o.log.choices.at[i]);
  pv_log_free(&o.log);
  pv_listeners_free(&o.listeners);
  pv_map_free(&o.places);
  pv_vm_free(o.vm);
  pv_condition_clear(&condition);
  return !o.pruned;
}

bool pv_observation_path(const struct pv_task *task, const struct pv_observation *o,
                         struct pv_error_path *out) {
  struct pv_condition condition = {0};
  const struct pv_sched *sched = pv_sched_of(task->program->sched);
  struct again a = {.vm = pv_vm_new(task, sched, &condition)};
  bool ran = true;
  pv_vm_start(a.vm);
  pv_vm_set_observed(a.vm, true);
  for (uint32_t i = 0; i < o->choices.n && ran; i++)
    ran = step_again(&a, sched, o->choices.at[i]) || i + 1 == o->choices.n;
  out->choices.n = 0;
  for (uint32_t i = 0; i < a.out.n; i++) pv_vec_push(&out->choices, a.out.at[i]);
  pv_vec_free(&a.out);
  pv_vm_free(a.vm);
  pv_condition_clear(&condition);
  return ran;
}

const struct pv_prediction *pv_observation_shows(const struct pv_observation *o, uint32_t warning) {
  for (uint32_t i = 0; i < o->predictions.list.n; i++)
    if (o->predictions.list.at[i].warning == warning && o->predictions.list.at[i].choices.n)
      return &o->predictions.list.at[i];
  return NULL;
}

void pv_focus_of(const struct pv_observation *o, struct pv_focus *out) {
  out->threads = o->window;
  for (uint32_t i = 0; i < o->warnings.list.n; i++)
    for (uint32_t k = 0; k < o->warnings.list.at[i].n; k++) {
      uint32_t span = o->spans.at[o->warnings.list.at[i].side[k].place];
      if (span) pv_vec_push(&out->spans, span);
    }
}

void pv_focus_clear(struct pv_focus *f) {
  pv_vec_free(&f->spans);
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
  if (w->kind == PV_WARNING_DEADLOCK) {
    pv_str_addf(out, "waits in %s\n", o->places.at[side->place]);
    return;
  }
  if (w->kind == PV_WARNING_LOCK_ORDER)
    pv_str_addf(out, "takes %s", lock_name(o, side->lock));
  else
    pv_str_add(out, side->ends ? "ends it" : side->writes ? "writes" : "reads");
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
      pv_str_addf(out, "Warning: data race on %s: %s", o->names.at[i],
                  !w->predicted                ? "nothing orders these accesses"
                  : pv_observation_shows(o, i) ? "another execution has these accesses side by side"
                                               : "another execution may have them side by side");
      if (!w->predicted && pv_observation_shows(o, i))
        pv_str_add(out, "; another execution has them side by side");
      break;
    case PV_WARNING_DEADLOCK: pv_str_add(out, "Warning: the execution ends in a deadlock"); break;
    case PV_WARNING_LOCK_ORDER:
      pv_str_add(out, w->n == 2 ? "Warning: two threads take two locks in opposite orders"
                                : "Warning: threads take locks in a circle");
      if (pv_observation_shows(o, i)) pv_str_add(out, ": another execution ends there");
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
  pv_predictions_free(&o->predictions);
  for (uint32_t i = 0; i < o->places.n; i++) free(o->places.at[i]);
  for (uint32_t i = 0; i < o->names.n; i++) free(o->names.at[i]);
  for (uint32_t i = 0; i < o->lock_names.n; i++) free(o->lock_names.at[i]);
  pv_vec_free(&o->places);
  pv_vec_free(&o->lines);
  pv_vec_free(&o->spans);
  pv_vec_free(&o->names);
  pv_vec_free(&o->lock_names);
  pv_vec_free(&o->choices);
  pv_map_free(&o->locks);
}
