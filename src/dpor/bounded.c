/* bounded.c -- all executions with a bounded number of preemptions. A preemption is a switch away
 * from a thread that could continue.
 *
 * References: Musuvathi, Qadeer, "Iterative context bounding for systematic testing of
 * multithreaded programs", PLDI 2007, and "Partial-order reduction for context-bounded state
 * exploration", MSR-TR-2007-12. Backtracking at races and sleep sets need executions that the bound
 * may forbid. So all threads are tried in every state. But prefixes of executions may differ only
 * in the order of commuting operations. If they also have the same number of remaining preemptions
 * and the same last thread, only one of them is continued. */
#include "dpor/search_internal.h"

#include <stdlib.h>

struct level {
  /* The thread to try, counted from the one that moved last, and its alternative. */
  unsigned next, alternative;
  unsigned preemptions;
  bool arrived;
  /* A hash of the prefix that does not depend on the order of commuting operations. */
  uint64_t events[2];
};
struct bounded {
  struct pv_dpor_search *s;
  unsigned most;
  PV_VEC(struct level) levels; /* one for each state of the current execution */
  /* By prefix and last thread: the smallest number of preemptions it was reached with. */
  struct pv_map seen;
};

static unsigned last_thread(const struct pv_trace *t) {
  return t->events.n ? pv_vec_last(&t->events).transition.thread : 0;
}

/* Was an equivalent prefix continued before? */
static bool is_known(struct bounded *b, const struct level *l) {
  const struct pv_trace *t = &b->s->trace;
  unsigned last = last_thread(t);
  bool goes_on = pv_enabled_threads(pv_trace_enabled_set(t)) & PV_THREAD_BIT(last);
  uint64_t key[3] = {l->events[0], l->events[1], goes_on ? last : PV_NO_THREAD};
  bool is_new;
  uint32_t *fewest = pv_map_put(&b->seen, key, sizeof key, l->preemptions, &is_new);
  if (!is_new && *fewest <= l->preemptions) return true;
  *fewest = l->preemptions;
  return false;
}

/* The hash is a sum, so the order of events does not matter; the order that matters is in their
 * clocks. */
static void add_event(const struct pv_trace *t, struct level *l) {
  const struct pv_dpor_event *e = &pv_vec_last(&t->events);
  uint64_t h = pv_hash(e->clock.at, t->slots * sizeof *e->clock.at);
  uint64_t who = (uint64_t)e->transition.thread << 32 | e->transition.alternative;
  l->events[0] += pv_hash_word(h ^ pv_hash_word(who));
  l->events[1] += pv_hash_word(h + UINT64_C(0x9e3779b97f4a7c15) * (pv_hash_word(~who) | 1));
}

/* Selects the next thread to try, the one that moved last first. Returns false if there is none. */
static bool choose(struct bounded *b, unsigned *thread, unsigned *alternative, bool *preempts) {
  struct level *l = &pv_vec_last(&b->levels);
  const struct pv_trace *t = &b->s->trace;
  const struct pv_enabled_set *f = pv_trace_enabled_set(t);
  pv_threads able = pv_enabled_threads(f);
  unsigned last = last_thread(t);
  for (; l->next < f->n; l->next++, l->alternative = 0) {
    *thread = (last + l->next) % f->n;
    if (!(able & PV_THREAD_BIT(*thread)) || l->alternative >= f->at[*thread].alternatives) continue;
    *alternative = l->alternative++;
    *preempts = *thread != last && (able & PV_THREAD_BIT(last));
    return true;
  }
  return false;
}

static void arrive(struct bounded *b) {
  struct level *l = &pv_vec_last(&b->levels);
  struct pv_stats *stats = &b->s->result->stats;
  l->arrived = true;
  if (is_known(b, l)) {
    l->next = UINT32_MAX;
  } else if (!pv_dpor_arrive(b->s)) {
    l->next = UINT32_MAX;
    if (pv_trace_enabled_set(&b->s->trace)->awaiting)
      stats->blocked++;
    else
      stats->executions++;
  }
}

static void leave(struct bounded *b) {
  b->levels.n--;
  if (b->levels.n) pv_trace_undo(&b->s->trace);
}

static void step(struct bounded *b) {
  struct pv_dpor_search *s = b->s;
  unsigned thread, alternative;
  bool preempts;
  if (!choose(b, &thread, &alternative, &preempts)) {
    leave(b);
    return;
  }
  struct level l = pv_vec_last(&b->levels);
  l.preemptions += preempts;
  if (l.preemptions > b->most) {
    pv_condition_add(&s->result->condition, PV_PROVISO_PREEMPTIONS, NULL, 0,
                     "no error needs more than %u preemption%s", b->most, b->most == 1 ? "" : "s");
    return;
  }
  s->result->stats.transitions++;
  struct pv_transition transition = pv_trace_next(&s->trace, s->trace.events.n, thread);
  transition.alternative = alternative;
  if (pv_trace_do(&s->trace, &transition) == PV_PRUNED) s->result->stats.pruned++;
  pv_dpor_check_races(s);
  l.next = l.alternative = 0;
  l.arrived = false;
  add_event(&s->trace, &l);
  pv_vec_push(&b->levels, l);
}

/* Notes the probability of a collision of hashes, by the birthday bound. */
static void note_hashes(const struct bounded *b) {
  double n = b->seen.n;
  struct pv_str p = {0};
  pv_probability_up(n * n / 2 / 340282366920938463463374607431768211456.0, &p);
  pv_condition_add(&b->s->result->condition, PV_PROVISO_LOSSY, NULL, 0,
                   "no two prefixes of executions have the same hash (128 bits, p <= %s)",
                   pv_str_cstr(&p));
  pv_str_free(&p);
}

static bool is_about_preemptions(const struct pv_proviso *p) {
  return p->kind == PV_PROVISO_PREEMPTIONS && !p->part;
}

/* Executions with more preemptions are open. */
static void leave_open(const struct bounded *b) {
  struct pv_condition *c = &b->s->result->condition;
  const struct pv_open_part beyond = {
      .kind = PV_OPEN_BOUND, .bound = PV_BOUND_PREEMPTIONS, .number = b->most};
  if (!b->s->task->wants_parts || b->s->result->violations.n) return;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    if (!is_about_preemptions(&c->provisos.at[i])) continue;
    pv_vec_push(&c->parts, beyond);
    c->provisos.at[i].part = c->parts.n;
  }
}

void pv_dpor_bounded(struct pv_dpor_search *s) {
  struct bounded b = {.s = s, .most = s->task->options->preemptions};
  const struct level first = {0};
  pv_vec_push(&b.levels, first);
  while (b.levels.n && !s->stop && !pv_dpor_limited(s)) {
    if (!pv_vec_last(&b.levels).arrived)
      arrive(&b);
    else
      step(&b), pv_dpor_progress(s);
    if (!pv_dpor_begins_anew(s)) continue;
    pv_dpor_begin_anew(s);
    pv_map_free(&b.seen);
    b.seen = (struct pv_map){0};
    b.levels.n = 0;
    pv_vec_push(&b.levels, first);
  }
  note_hashes(&b);
  leave_open(&b);
  pv_vec_free(&b.levels);
  pv_map_free(&b.seen);
}
