#include "dpor/search_internal.h"

#include <stdlib.h>

static struct pv_dpor_node *top(struct pv_dpor_search *s) {
  return &s->nodes.at[s->nodes.n - 1];
}

/* Who waits at what does not matter, and for nothing that could still come by itself, may have to
 * go before others. */
static void need_waiting(struct pv_dpor_search *s, const struct pv_front *f) {
  struct pv_trace *t = &s->trace;
  PV_FOR_THREADS(i, f->hiding & f->alive & ~f->able & ~f->stuck)
  if (pv_predicate_is_ahead(t->predicate, t->vm, i))
    pv_predicate_need(t->predicate, &t->pendings.at[f->next[i]]);
}

/* Nobody goes on: an execution is complete. */
static void complete(struct pv_dpor_search *s) {
  const struct pv_trace *t = &s->trace;
  bool ended = t->events.n && pv_vec_last(&t->events).deed.what.kind == PV_PEND_END;
  const struct pv_front *f = &t->fronts.at[t->fronts.n - 1 - ended];
  if (f->awaiting)
    s->result->stats.blocked++; /* where they find what they await it is another one */
  else
    s->result->stats.executions++;
  need_waiting(s, f);
  if (s->kind == PV_DPOR_OPTIMAL)
    for (uint32_t i = 0; i < t->events.n; i++) pv_dpor_reverse(s, i);
  pv_dpor_reverse_waiting(s, f);
}

/* What does not matter is done as soon as it can be; what was to come next comes after it. */
static bool go_past(struct pv_dpor_search *s) {
  const struct pv_trace *t = &s->trace;
  const struct pv_front *f = pv_trace_front(t);
  struct pv_dpor_node *n = top(s);
  pv_threads able = pv_front_able(f) & f->hiding;
  if (!able) return false;
  struct pv_deed d = pv_trace_next(t, t->events.n, (unsigned)__builtin_ctzll(able));
  struct pv_wake *after = n->tree;
  d.way = 0;
  n->tree = NULL;
  pv_wake_append(&n->tree, &d)->first = after;
  return true;
}

static bool is_asleep(const struct pv_dpor_node *n, unsigned thread, unsigned way) {
  for (uint32_t i = 0; i < n->asleep.n; i++) {
    const struct pv_deed *d = &n->asleep.at[i];
    if (d->thread == thread && (d->way == way || d->way == PV_ANY_WAY)) return true;
  }
  return false;
}

enum { PATIENCE = 256 }; /* events in a row that a thread may do while others could */

/* The thread that is tried first: the one that moved last, unless it may be waiting for others. */
static unsigned favourite(const struct pv_trace *t) {
  uint32_t n = t->events.n;
  if (!n) return 0;
  unsigned last = t->events.at[n - 1].deed.thread, row = 0;
  while (row < n && row < PATIENCE && t->events.at[n - 1 - row].deed.thread == last) row++;
  return row < PATIENCE ? last : last + 1;
}

/* All ways of one thread that are not asleep. */
static bool choose(struct pv_dpor_search *s) {
  struct pv_dpor_node *n = top(s);
  const struct pv_trace *t = &s->trace;
  const struct pv_front *f = pv_trace_front(t);
  pv_threads able = pv_front_able(f);
  unsigned first = favourite(t);
  for (unsigned i = 0; i < f->n && !n->tree; i++) {
    unsigned thread = (first + i) % f->n;
    if (!(able & PV_THREAD_BIT(thread))) continue;
    struct pv_deed d = pv_trace_next(t, t->events.n, thread);
    for (d.way = 0; d.way < f->ways[thread]; d.way++)
      if (!is_asleep(n, thread, d.way)) pv_wake_append(&n->tree, &d);
    if (n->tree) n->seen |= PV_THREAD_BIT(thread);
  }
  return n->tree;
}

/* Nothing says what is to come next. */
static void go_anywhere(struct pv_dpor_search *s) {
  const struct pv_front *f = pv_trace_front(&s->trace);
  if (choose(s)) return;
  s->result->stats.blocked++;
  pv_dpor_reverse_waiting(s, f);
  need_waiting(s, f);
}

static void arrive(struct pv_dpor_search *s) {
  struct pv_dpor_node *n = top(s);
  const struct pv_trace *t = &s->trace;
  uint64_t depth = s->task->limits->depth;
  struct pv_stats *stats = &s->result->stats;
  n->arrived = true;
  pv_dpor_look(s);
  if (t->events.n > stats->depth) stats->depth = t->events.n;
  unsigned alive = (unsigned)__builtin_popcountll(pv_trace_front(t)->alive);
  if (alive > stats->threads) stats->threads = alive;
  bool over = !pv_front_able(pv_trace_front(t));
  if (!over && depth && t->events.n >= depth) {
    pv_condition_add(&s->result->condition, PV_PROVISO_DEPTH, NULL, 0,
                     "no error lies deeper than %llu transitions", (unsigned long long)depth);
    over = true;
  }
  if (over) {
    complete(s);
    pv_wake_free(n->tree);
    n->tree = NULL;
  } else if (!go_past(s) && !n->tree) {
    go_anywhere(s);
  }
}

static void leave(struct pv_dpor_search *s) {
  struct pv_dpor_node n = pv_vec_pop(&s->nodes);
  pv_wake_free(n.tree);
  pv_vec_free(&n.asleep);
  if (!s->nodes.n) return;
  struct pv_dpor_node *below = top(s);
  struct pv_wake *done = below->tree;
  if (s->kind != PV_DPOR_CLASSIC) pv_vec_push(&below->asleep, done->deed);
  below->tree = done->next;
  free(done);
  pv_trace_undo(&s->trace);
}

/* The next beginning is not taken. Others may have been left out, for it was to come before them;
 * so if nothing was explored here, anything may come. */
static void leave_out(struct pv_dpor_search *s) {
  struct pv_dpor_node *n = top(s);
  struct pv_wake *w = n->tree;
  n->tree = w->next;
  w->next = NULL;
  pv_wake_free(w);
  if (!n->tree && !n->explored) go_anywhere(s);
}

/* One child for each way; false: there is none. */
static bool expand(struct pv_dpor_node *n, unsigned ways) {
  struct pv_wake *w = n->tree;
  if (w->deed.way != PV_ANY_WAY) return w->deed.way < ways;
  if (!ways) return false;
  w->deed.way = 0;
  for (unsigned i = ways; i-- > 1;) {
    struct pv_wake *sibling = pv_alloc(sizeof *sibling);
    sibling->deed = w->deed;
    sibling->deed.way = i;
    sibling->next = w->next;
    w->next = sibling;
  }
  return true;
}

/* What sleeps and commutes with the deed sleeps on. */
static void stay_asleep(struct pv_dpor_search *s, const struct pv_dpor_node *n,
                        const struct pv_deed *deed, struct pv_dpor_node *next) {
  for (uint32_t i = 0; i < n->asleep.n; i++) {
    const struct pv_deed *d = &n->asleep.at[i];
    if (d->thread != deed->thread && !pv_trace_ordered(&s->trace, deed, d))
      pv_vec_push(&next->asleep, *d);
  }
}

static void step(struct pv_dpor_search *s) {
  struct pv_dpor_node *n = top(s);
  struct pv_trace *t = &s->trace;
  const struct pv_front *f = pv_trace_front(t);
  unsigned thread = n->tree->deed.thread;
  bool able = pv_front_able(f) & PV_THREAD_BIT(thread);
  if (!able || !expand(n, f->ways[thread])) { /* the order of primitives left it open, */
    if (f->hiding & PV_THREAD_BIT(thread))    /* or what it waits for has to do with what matters */
      pv_predicate_need(t->predicate, &t->pendings.at[f->next[thread]]);
    leave_out(s);
    return;
  }
  if (is_asleep(n, thread, n->tree->deed.way)) {
    leave_out(s);
    return;
  }
  struct pv_wake *w = n->tree;
  struct pv_dpor_node next = {.tree = w->first};
  w->first = NULL;
  n->explored = true;
  n->seen |= PV_THREAD_BIT(thread);
  for (struct pv_wake *c = next.tree; c; c = c->next) next.seen |= PV_THREAD_BIT(c->deed.thread);
  struct pv_deed now = pv_trace_next(t, t->events.n, thread);
  w->deed.what = now.what;
  w->deed.hidden = now.hidden;
  bool one = pv_trace_is_section(t, &now);
  if (!one) stay_asleep(s, n, &w->deed, &next);
  s->result->stats.transitions++;
  enum pv_outcome outcome = pv_trace_do(t, thread, w->deed.way);
  w->deed.inner = pv_vec_last(&t->events).deed.inner;
  if (one) stay_asleep(s, n, &w->deed, &next);
  if (outcome == PV_PRUNED) s->result->stats.pruned++;
  uint32_t passed;
  const struct pv_event *list = pv_vm_passed(t->vm, &passed);
  for (uint32_t i = 0; i < passed; i++) pv_dpor_report(s, &list[i]);
  if (outcome == PV_VIOLATED) pv_dpor_report(s, pv_vm_event(t->vm));
  pv_vec_push(&s->nodes, next);
  pv_dpor_look_at_races(s);
  if (s->kind != PV_DPOR_OPTIMAL) pv_dpor_reverse(s, t->events.n - 1);
}

static bool limited(struct pv_dpor_search *s) {
  static const enum pv_proviso_kind kinds[] = {[PV_LIMIT_TIME] = PV_PROVISO_TIME,
                                               [PV_LIMIT_MEMORY] = PV_PROVISO_MEMORY,
                                               [PV_LIMIT_STATES] = PV_PROVISO_STATES,
                                               [PV_LIMIT_DEPTH] = PV_PROVISO_DEPTH,
                                               [PV_LIMIT_INTERRUPT] = PV_PROVISO_INTERRUPT};
  enum pv_limit l = pv_limits_check(s->task->limits, s->result->stats.transitions);
  if (l == PV_LIMIT_NONE && s->trace.journal.bytes.n < UINT32_MAX / 4) return false;
  if (l == PV_LIMIT_NONE) l = PV_LIMIT_MEMORY; /* the path of a single execution */
  uint64_t n = s->result->stats.executions;
  pv_condition_add(&s->result->condition, kinds[l], NULL, 0,
                   "no error lies beyond the %llu execution%s explored (%s)", (unsigned long long)n,
                   n == 1 ? "" : "s", pv_proviso_kind_reasons[kinds[l]]);
  return true;
}

static void progress(struct pv_dpor_search *s) {
  if (!s->task->progress || s->result->stats.transitions % 4096) return;
  s->task->progress(s->task->progress_user, &s->result->stats);
}

static void forget(struct pv_dpor_search *s) {
  for (uint32_t i = 0; i < s->nodes.n; i++) {
    pv_wake_free(s->nodes.at[i].tree);
    pv_vec_free(&s->nodes.at[i].asleep);
  }
  s->nodes.n = 0;
}

bool pv_dpor_begins_anew(const struct pv_dpor_search *s) {
  const struct pv_predicate *p = s->trace.predicate;
  return s->trace.sections.grew || (p && pv_predicate_is_too_small(p));
}

static void begin_anew(struct pv_dpor_search *s) {
  struct pv_dpor_node root = {0};
  struct pv_trace *t = &s->trace;
  while (t->events.n) pv_trace_undo(t);
  forget(s);
  pv_vec_push(&s->nodes, root);
  t->sections.grew = false;
  if (t->predicate) pv_predicate_enlarge(t->predicate, t->vm);
  s->result->stats.enlarged++;
  s->result->stats.abandoned += s->result->stats.executions;
  s->result->stats.executions = s->result->stats.blocked = 0;
}

void pv_dpor_search(const struct pv_task *task, struct pv_vm *vm, const struct pv_sched *sched,
                    struct pv_predicate *predicate, struct pv_result *result) {
  struct pv_dpor_search s = {
      .task = task, .result = result, .kind = (enum pv_dpor_kind)task->options->dpor};
  struct pv_dpor_node root = {0};
  if (predicate) pv_predicate_enlarge(predicate, vm);
  pv_trace_begin(&s.trace, task, sched, vm, predicate);
  pv_vec_push(&s.nodes, root);
  while (s.nodes.n && !s.stop && !limited(&s)) {
    struct pv_dpor_node *n = top(&s);
    if (!n->arrived)
      arrive(&s);
    else if (n->tree)
      step(&s), progress(&s);
    else
      leave(&s);
    if (pv_dpor_begins_anew(&s)) begin_anew(&s);
  }
  if (s.trace.spurious)
    pv_condition_add(&result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "condition variables do not wake up spuriously");
  result->stats.path_bytes = pv_trace_bytes(&s.trace);
  forget(&s);
  pv_vec_free(&s.nodes);
  pv_vec_free(&s.path);
  pv_vec_free(&s.sequence.at);
  pv_map_free(&s.reported);
  pv_map_free(&s.raced);
  pv_trace_free(&s.trace);
}
