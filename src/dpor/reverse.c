/* reverse.c -- reverses races: computes the initial fragments of executions in which two racing
 * events occur in the opposite order (search.h). Abdulla et al., JACM 2017, 5: v = notdep(e,
 * E).p. */
#include <string.h>

#include "dpor/search_internal.h"

void pv_dpor_forget_rest(struct pv_dpor_search *s) {
  s->rest_of = UINT32_MAX;
}

/* Computes notdep(e): the events after e that do not happen after it. They are the same for all
 * races with e in an execution. */
static void find_rest(struct pv_dpor_search *s, uint32_t e) {
  const struct pv_trace *t = &s->trace;
  uint32_t end = t->events.n;
  const struct pv_transition *first = &t->events.at[e].transition;
  if (s->rest_of == e && s->rest_end == end) return;
  s->rest_of = e;
  s->rest_end = end;
  s->rest.n = 0;
  for (uint32_t i = e + 1; i < end; i++) {
    const struct pv_dpor_event *x = &t->events.at[i];
    if (x->clock.at[first->thread] >= first->index) continue;
    if (x->transition.what.kind == PV_PEND_END) continue; /* nothing comes after it */
    pv_vec_push(&s->rest, i);
  }
}

/* Computes the sequence notdep(e).`transition`. `at` is the number of the transition's event, or
 * the one it would have. In the sequence, fewer events come before the transition: if e, or an
 * event after e, enabled it, it was also ordered after everything before these. */
static void without(struct pv_dpor_search *s, uint32_t e, uint32_t at,
                    struct pv_transition *transition) {
  const struct pv_trace *t = &s->trace;
  const struct pv_clock *base = pv_trace_before(t, at, transition->thread);
  find_rest(s, e);
  bool same = true; /* does the rest of the sequence still commute with it at its new position? */
  if (t->exchanges && at < t->events.n) {
    transition->what.stays = pv_exchange_stays(t, at, e, s->rest.at, s->rest.n);
    same = t->events.at[at].transition.what.stays == transition->what.stays;
  }
  pv_sequence_clear(&s->sequence);
  if (base)
    memcpy(s->last.at, base->at, t->slots * sizeof s->last.at[0]);
  else
    memset(s->last.at, 0, t->slots * sizeof s->last.at[0]);
  s->last.at[transition->thread] = transition->index;
  for (uint32_t k = 0; k < s->rest.n; k++) {
    uint32_t i = s->rest.at[k];
    const struct pv_dpor_event *x = &t->events.at[i];
    pv_sequence_add(&s->sequence, &x->transition, &x->clock);
    if (i < at) s->sequence.fixed++;
    if ((i < at || !same) && pv_trace_ordered(t, &x->transition, transition))
      pv_clock_join(t, &s->last, &x->clock);
  }
  pv_sequence_add(&s->sequence, transition, &s->last);
  s->sequence.last_fixed = !t->exchanges;
}

/* Is an initial of the sequence in the sleep set of the node? *for_good: this holds in every
 * execution that has the race. A transition that commutes with the whole sequence is an initial as
 * well. But something that follows the sequence may depend on it, and come before it. This is a
 * race that is found when the transition is explored. So it does not count if another search does
 * that. */
static bool sleeps(const struct pv_dpor_search *s, const struct pv_dpor_node *n, bool *for_good) {
  const struct pv_sequence *v = &s->sequence;
  const struct pv_transition *last = NULL; /* the last element that was checked and is no initial */
  uint32_t which;
  for (uint32_t i = 0; i < n->sleep_set.n; i++) {
    const struct pv_transition *d = &n->sleep_set.at[i];
    if (last && pv_sequence_alike(v, last, d)) continue;
    if (pv_is_weak_initial(&s->trace, v, d, &which)) {
      bool weak = !d->foreign && s->kind == PV_DPOR_OPTIMAL;
      if (!weak && which == UINT32_MAX) continue;
      *for_good = which != UINT32_MAX && pv_sequence_has_for_good(v, which);
      return true;
    }
    last = d;
  }
  return false;
}

static void backtrack(struct pv_dpor_search *s, uint32_t e, unsigned thread) {
  struct pv_dpor_node *n = &s->nodes.at[e];
  struct pv_transition d = pv_trace_next(&s->trace, e, thread);
  if (n->seen & PV_THREAD_BIT(thread)) return;
  n->seen |= PV_THREAD_BIT(thread);
  pv_wakeup_node_append(&s->wakeup_nodes, &n->tree, &d);
  s->result->stats.races++;
}

/* Source sets: adds one of the threads that may begin the sequence. */
static void add_source(struct pv_dpor_search *s, uint32_t e) {
  const struct pv_sequence *v = &s->sequence;
  const struct pv_dpor_node *n = &s->nodes.at[e];
  unsigned first = PV_NO_THREAD;
  for (uint32_t i = 0; i < v->at.n; i++) {
    uint32_t which;
    struct pv_transition d = *v->at.at[i].transition;
    if (!pv_is_weak_initial(&s->trace, v, &d, &which) || which != i) continue;
    if (n->seen & PV_THREAD_BIT(d.thread)) return;
    if (first == PV_NO_THREAD) first = d.thread;
  }
  if (first != PV_NO_THREAD) backtrack(s, e, first);
}

void pv_dpor_need_awaited(struct pv_dpor_search *s, const struct pv_enabled_set *f,
                          unsigned thread) {
  struct pv_trace *t = &s->trace;
  for (unsigned k = 0; k < f->n && thread < f->n; k++, thread = f->at[thread].awaited) {
    if (!(f->alive & ~f->able & PV_THREAD_BIT(thread))) return;
    if (!(f->hiding & PV_THREAD_BIT(thread))) continue;
    pv_predicate_need(t->predicate, &t->pendings.at[f->at[thread].next]);
    return;
  }
}

/* Backtrack sets: adds a thread that has a step after e that leads to the transition, or all
 * threads. */
static void add_classic(struct pv_dpor_search *s, uint32_t e, uint32_t end,
                        const struct pv_transition *transition) {
  const struct pv_trace *t = &s->trace;
  const struct pv_clock *clock = pv_trace_before(t, end, transition->thread);
  pv_dpor_need_awaited(s, &t->enabled_sets.at[e], transition->thread);
  pv_threads able = pv_enabled_threads(&t->enabled_sets.at[e]),
             set = able & PV_THREAD_BIT(transition->thread);
  for (uint32_t i = e + 1; i < end; i++) {
    const struct pv_transition *d = &t->events.at[i].transition;
    if (clock && clock->at[d->thread] >= d->index) set |= able & PV_THREAD_BIT(d->thread);
  }
  if (set & s->nodes.at[e].seen) return;
  if (set & PV_THREAD_BIT(transition->thread)) set = PV_THREAD_BIT(transition->thread);
  if (set) set &= ~(set - 1); /* take any one of them */
  PV_FOR_THREADS(i, set ? set : able) backtrack(s, e, i);
}

/* Can the sequence be executed after e events? If its first operation is not enabled there, it is
 * the one that races with e, and e enabled it. */
static bool is_possible(struct pv_dpor_search *s, uint32_t e) {
  unsigned first = s->sequence.at.at[0].transition->thread;
  const struct pv_enabled_set *f = &s->trace.enabled_sets.at[e];
  if (f->able & PV_THREAD_BIT(first)) return true;
  pv_dpor_need_awaited(s, f, first);
  return false;
}

/* Inserts the sequence into the wakeup tree unless an equivalent one is there or was explored. Many
 * executions have most of their races in common. The fragments at the earlier event do not change
 * while it is in the execution. So if the answer does not depend on events after the race, the race
 * is settled. */
static void wake(struct pv_dpor_search *s, struct pv_dpor_node *node, struct pv_race *race) {
  if (sleeps(s, node, &race->settled)) return;
  s->result->stats.races +=
      pv_wakeup_insert(&s->trace, &s->wakeup_nodes, &node->tree, &s->sequence, &race->settled);
}

/* Has a limit been hit? Long executions have many races, each of which takes long. Nothing is
 * explored after the limit. */
static bool is_late(const struct pv_dpor_search *s) {
  enum { LONG = 512 }; /* events */
  return s->trace.events.n > LONG && pv_limits_check_now(s->task->limits) != PV_LIMIT_NONE;
}

/* The race with event e would have to be reversed in another search. */
static void watch(struct pv_dpor_search *s, uint32_t e, uint32_t at,
                  struct pv_transition *transition, struct pv_race *race) {
  struct pv_dpor_node *n = &s->nodes.at[e];
  if (n->deferred != PV_DEFERRED) return;
  without(s, e, at, transition);
  if (is_possible(s, e) && !sleeps(s, n, &race->settled)) n->deferred = PV_NEEDED;
}

/* Reverses the races of the transition, which is event `at` or would have this number. */
static void reverse(struct pv_dpor_search *s, uint32_t at, struct pv_transition transition,
                    struct pv_race *races, uint32_t n) {
  const struct pv_trace *t = &s->trace;
  const struct pv_pending *p = &transition.what;
  bool several = p->kind == PV_PEND_ALLOC || p->kind == PV_PEND_INPUT ||
                 (p->kind == PV_PEND_PRIM && p->call.phase & PV_PHASE_SEVERAL);
  transition.alternative = several ? PV_ANY_ALTERNATIVE : 0;
  const struct pv_clock *base = pv_trace_before(t, at, transition.thread);
  for (uint32_t i = 0; i < n && !is_late(s); i++) {
    if (races[i].settled) continue;
    /* No event can come between those of an atomic section. To come before one of them means to
     * come before the first one. */
    uint32_t e = pv_trace_section(t, races[i].event);
    const struct pv_transition *first = &t->events.at[e].transition;
    if (e != races[i].event && base && base->at[first->thread] >= first->index)
      continue; /* an event before the transition races with the section, too */
    struct pv_dpor_node *node = &s->nodes.at[e];
    if (e < s->base) {
      watch(s, e, at, &transition, &races[i]);
      continue;
    }
    if (s->kind == PV_DPOR_CLASSIC) {
      add_classic(s, e, at, &transition);
      continue;
    }
    without(s, e, at, &transition);
    if (!is_possible(s, e)) continue; /* it cannot come before an event that enables it */
    races[i].settled = true;          /* source sets consider it only once */
    if (s->kind == PV_DPOR_SOURCE)
      add_source(s, e);
    else
      wake(s, node, &races[i]);
  }
}

void pv_dpor_reverse(struct pv_dpor_search *s, uint32_t event) {
  const struct pv_dpor_event *e = &s->trace.events.at[event];
  if (e->n_races) reverse(s, event, e->transition, s->trace.races.at + e->races, e->n_races);
}

/* Can no other thread have disabled the waiting operation? A join waits only for the end of its
 * thread; accesses to the place of its result do not matter before that. */
static bool was_never_possible(const struct pv_trace *t, const struct pv_transition *transition) {
  const struct pv_prim_call *call = &transition->what.call;
  return transition->what.kind == PV_PEND_PRIM && call->prim->role == PV_ROLE_JOINS &&
         t->sched->awaited(pv_vm_sched_state(t->vm), call) < PV_MAX_THREADS;
}

/* Reverses the races of an operation at which the thread waits forever. */
static void reverse_waiting(struct pv_dpor_search *s, unsigned thread) {
  struct pv_trace *t = &s->trace;
  struct pv_clock clock;
  struct pv_transition transition = pv_trace_next(t, t->events.n, thread);
  if (was_never_possible(t, &transition)) return;
  uint32_t from = t->races.n, n = pv_trace_races(t, t->events.n, &transition, &clock);
  if (n) reverse(s, t->events.n, transition, t->races.at + from, n);
  t->races.n = from;
}

void pv_dpor_reverse_waiting(struct pv_dpor_search *s, const struct pv_enabled_set *f) {
  pv_threads waiting = f->alive & ~f->able & ~f->ends & ~f->stuck & ~f->hiding;
  PV_FOR_THREADS(i, waiting) reverse_waiting(s, i);
}
