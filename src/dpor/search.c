#include "dpor/search_internal.h"

#include <stdlib.h>

static struct pv_dpor_node *top(struct pv_dpor_search *s) {
  return &s->nodes.at[s->nodes.n - 1];
}

/* Threads that wait at an irrelevant operation, for something that cannot happen by itself any
 * more, may have to be moved before others. */
static void need_waiting(struct pv_dpor_search *s, const struct pv_enabled_set *f) {
  struct pv_trace *t = &s->trace;
  PV_FOR_THREADS(i, f->hiding & f->alive & ~f->able & ~f->stuck)
  if (pv_predicate_is_ahead(t->predicate, t->vm, i))
    pv_predicate_need(t->predicate, &t->pendings.at[f->at[i].next]);
}

/* Reverses the races of an execution, whether it is complete or was abandoned. An abandoned
 * execution may be the first to show that two events are not ordered, where similar ones have a
 * post before a wait that did not need it (docs/dpor.md). With source sets they were processed
 * already, except for those of waits that another thread's post may precede. */
static void reverse_all(struct pv_dpor_search *s, const struct pv_enabled_set *f) {
  if (s->kind != PV_DPOR_CLASSIC)
    for (uint32_t i = 0; i < s->trace.events.n; i++) pv_dpor_reverse(s, i);
  pv_dpor_reverse_waiting(s, f);
}

/* Tells which edges the execution, which is complete, passes. Of the events taken out of it, none
 * was executed. */
static void tell_coverage(struct pv_dpor_search *s) {
  struct pv_trace *t = &s->trace;
  if (!t->coverage || !pv_coverage_is_complete(t->coverage)) return;
  for (uint32_t i = t->events.n + 1; i-- > 0;) {
    bool undone = i && t->events.at[i - 1].undone;
    if (!undone && !pv_coverage_mark(t->coverage, i)) break;
  }
}

/* Two accesses race in C11, since only operations with weaker memory orders are between them. */
static void note_race(struct pv_dpor_search *s, const struct pv_pending *earlier,
                      const struct pv_pending *later) {
  const struct pv_program *p = s->task->program;
  struct pv_str name = {0};
  if (!pv_vm_name_place(s->trace.vm, later->address, &name))
    pv_vm_name_address(s->trace.vm, later->address, &name);
  pv_vec_push(&s->result->notes,
              pv_format("the memory orders leave the accesses to %s at %s:%u and %s:%u unordered: "
                        "a data race in C11",
                        pv_str_cstr(&name), pv_span_file(p, earlier->edge->span),
                        pv_span_of(p, earlier->edge->span)->line,
                        pv_span_file(p, later->edge->span),
                        pv_span_of(p, later->edge->span)->line));
  pv_str_free(&name);
}

/* Do the memory orders of this execution allow another one, which is not sequentially consistent?
 * Then nothing else is of interest. */
static void check_orders(struct pv_dpor_search *s) {
  if (!s->task->options->robustness) return;
  const struct pv_pending *p = pv_robustness_examine(&s->robustness, &s->trace);
  if (!p) return;
  const char *file = pv_span_file(s->task->program, p->edge->span);
  uint32_t line = pv_span_of(s->task->program, p->edge->span)->line;
  pv_condition_add(&s->result->condition, PV_PROVISO_ORDERING, file, line,
                   "the operation at %s:%u behaves as if all were sequentially consistent", file,
                   line);
  if (s->robustness.earlier) note_race(s, s->robustness.earlier, p);
  s->stop = true;
}

/* Removes the last event. */
static void undo(struct pv_dpor_search *s) {
  pv_trace_undo(&s->trace);
  pv_robustness_undo(&s->robustness, s->trace.events.n);
}

/* No thread can continue: the execution is complete. */
static void complete(struct pv_dpor_search *s) {
  const struct pv_trace *t = &s->trace;
  bool ended = t->events.n && pv_vec_last(&t->events).transition.what.kind == PV_PEND_END;
  const struct pv_enabled_set *f = &t->enabled_sets.at[t->enabled_sets.n - 1 - ended];
  /* An execution in which they find the awaited value is a different one. */
  if (f->awaiting)
    s->result->stats.blocked++;
  else
    s->result->stats.executions++;
  tell_coverage(s);
  check_orders(s);
  pv_waits_conclude(&s->trace);
  need_waiting(s, f);
  reverse_all(s, f);
}

static bool is_in_sleep_set(const struct pv_dpor_node *n, unsigned thread, unsigned alternative) {
  for (uint32_t i = 0; i < n->sleep_set.n; i++) {
    const struct pv_transition *d = &n->sleep_set.at[i];
    if (d->thread == thread &&
        (d->alternative == alternative || d->alternative == PV_ANY_ALTERNATIVE))
      return true;
  }
  return false;
}

enum { MAX_CONSECUTIVE_EVENTS = 256 }; /* events in a row of one thread while others could move */

/* The thread to try first: the one that moved last, unless it may be waiting for others. */
static unsigned preferred_thread(const struct pv_trace *t) {
  uint32_t n = t->events.n;
  if (!n) return 0;
  unsigned last = t->events.at[n - 1].transition.thread, row = 0;
  while (row < n && row < MAX_CONSECUTIVE_EVENTS &&
         t->events.at[n - 1 - row].transition.thread == last)
    row++;
  return row < MAX_CONSECUTIVE_EVENTS ? last : last + 1;
}

/* Adds all alternatives of one thread that are not in the sleep set. */
static bool choose(struct pv_dpor_search *s) {
  struct pv_dpor_node *n = top(s);
  const struct pv_trace *t = &s->trace;
  const struct pv_enabled_set *f = pv_trace_enabled_set(t);
  pv_threads able = pv_enabled_threads(f);
  unsigned first = preferred_thread(t);
  for (unsigned i = 0; i < f->n && !n->tree; i++) {
    unsigned thread = (first + i) % f->n;
    if (!(able & PV_THREAD_BIT(thread))) continue;
    struct pv_transition d = pv_trace_next(t, t->events.n, thread);
    for (d.alternative = 0; d.alternative < f->at[thread].alternatives; d.alternative++)
      if (!is_in_sleep_set(n, thread, d.alternative))
        pv_wakeup_node_append(&s->wakeup_nodes, &n->tree, &d);
    if (n->tree) n->seen |= PV_THREAD_BIT(thread);
  }
  return n->tree;
}

/* Continues without a given fragment. */
static void start_arbitrary_execution(struct pv_dpor_search *s) {
  const struct pv_enabled_set *f = pv_trace_enabled_set(&s->trace);
  if (choose(s)) return;
  s->result->stats.blocked++;
  pv_waits_conclude(&s->trace);
  reverse_all(s, f);
  need_waiting(s, f);
}

/* How often the thread has executed the operation at which it is parked. */
static uint64_t times_done(const struct pv_trace *t, unsigned thread) {
  const struct pv_edge *edge = t->pendings.at[pv_trace_enabled_set(t)->at[thread].next].edge;
  uint64_t n = 0;
  for (uint32_t i = 0; i < t->of[thread].n; i++)
    n += t->events.at[t->of[thread].at[i].event].transition.what.edge == edge;
  return n;
}

/* Option unwind: does not continue the loop of the thread that moved last. */
static void bound_rounds(struct pv_dpor_search *s) {
  struct pv_trace *t = &s->trace;
  unsigned most = s->task->options->unwind;
  if (!most || !t->events.n) return;
  unsigned thread = pv_vec_last(&t->events).transition.thread;
  const struct pv_enabled_set *f = pv_trace_enabled_set(t);
  if (!(pv_enabled_threads(f) & PV_THREAD_BIT(thread)) || times_done(t, thread) < most) return;
  const struct pv_program *p = s->task->program;
  uint32_t span = t->pendings.at[f->at[thread].next].edge->span;
  const char *file = pv_span_file(p, span);
  unsigned line = pv_span_of(p, span)->line;
  pv_trace_cut(t, thread);
  pv_condition_add(&s->result->condition, PV_PROVISO_UNWINDING, file, line,
                   "no thread does an operation at %s:%u more than %u time%s", file, line, most,
                   most == 1 ? "" : "s");
}

bool pv_dpor_arrive(struct pv_dpor_search *s) {
  const struct pv_trace *t = &s->trace;
  uint64_t depth = s->task->limits->depth;
  struct pv_stats *stats = &s->result->stats;
  pv_dpor_forget_rest(s);
  bound_rounds(s);
  pv_dpor_check_state(s);
  if (t->events.n > stats->depth) stats->depth = t->events.n;
  unsigned alive = (unsigned)__builtin_popcountll(pv_trace_enabled_set(t)->alive);
  if (alive > stats->threads) stats->threads = alive;
  if (!pv_enabled_threads(pv_trace_enabled_set(t))) return false;
  if (!depth || t->events.n < depth) return true;
  pv_condition_add(&s->result->condition, PV_PROVISO_DEPTH, NULL, 0,
                   "no error lies deeper than %llu transitions", (unsigned long long)depth);
  return false;
}

static void arrive(struct pv_dpor_search *s) {
  struct pv_dpor_node *n = top(s);
  n->arrived = true;
  bool over = !pv_dpor_arrive(s);
  if (over) {
    complete(s);
    pv_wakeup_node_free(&s->wakeup_nodes, n->tree);
    n->tree = NULL;
  } else if (!n->tree) {
    start_arbitrary_execution(s);
  }
}

static void leave(struct pv_dpor_search *s) {
  pv_wakeup_node_free(&s->wakeup_nodes, pv_vec_pop(&s->nodes).tree);
  if (s->nodes.n == s->base) return;
  struct pv_dpor_node *below = top(s);
  struct pv_wakeup_node *done = below->tree;
  if (s->kind != PV_DPOR_CLASSIC) pv_vec_push(&below->sleep_set, done->transition);
  below->tree = done->next;
  below->done++;
  done->next = NULL;
  pv_wakeup_node_free(&s->wakeup_nodes, done);
  undo(s);
}

/* Leaves out the next fragment. Others may have been left out because it covers them. So if nothing
 * was explored in this state, everything must be allowed. */
static void leave_out(struct pv_dpor_search *s) {
  struct pv_dpor_node *n = top(s);
  struct pv_wakeup_node *w = n->tree;
  n->tree = w->next;
  w->next = NULL;
  pv_wakeup_node_free(&s->wakeup_nodes, w);
  if (!n->tree && !n->explored) start_arbitrary_execution(s);
}

/* Adds one child for each alternative. Returns false if there is none. */
static bool expand(struct pv_dpor_search *s, struct pv_dpor_node *n, unsigned alternatives) {
  struct pv_wakeup_node *w = n->tree;
  if (w->transition.alternative != PV_ANY_ALTERNATIVE)
    return w->transition.alternative < alternatives;
  if (!alternatives) return false;
  w->transition.alternative = 0;
  for (unsigned i = alternatives; i-- > 1;) {
    struct pv_wakeup_node *sibling = pv_wakeup_node_new(&s->wakeup_nodes, &w->transition);
    sibling->transition.alternative = i;
    sibling->next = w->next;
    w->next = sibling;
  }
  return true;
}

struct pv_dpor_node *pv_dpor_push_node(struct pv_dpor_search *s, struct pv_wakeup_node *tree) {
  pv_vec_reserve(&s->nodes, s->nodes.n + 1);
  struct pv_dpor_node *n = &s->nodes.at[s->nodes.n++];
  n->tree = tree;
  n->sleep_set.n = 0;
  n->seen = 0;
  n->done = 0;
  n->arrived = n->explored = false;
  n->deferred = PV_NOT_DEFERRED;
  for (struct pv_wakeup_node *c = tree; c; c = c->next)
    n->seen |= PV_THREAD_BIT(c->transition.thread);
  return n;
}

/* Keeps the elements of the sleep set that commute with the transition. (The assumption about a
 * compare-and-exchange in the fragment also counts: it was made to come before an operation that
 * did not commute with it then, and that order may not have been explored.) */
static void keep_in_sleep_set(struct pv_dpor_search *s, const struct pv_transition *transition,
                              struct pv_dpor_node *next) {
  const struct pv_dpor_node *n = next - 1;
  for (uint32_t i = 0; i < n->sleep_set.n; i++) {
    const struct pv_transition *d = &n->sleep_set.at[i];
    if (d->thread != transition->thread && !pv_trace_ordered(&s->trace, transition, d))
      pv_vec_push(&next->sleep_set, *d);
  }
}

static void step(struct pv_dpor_search *s) {
  struct pv_dpor_node *n = top(s);
  struct pv_trace *t = &s->trace;
  const struct pv_enabled_set *f = pv_trace_enabled_set(t);
  unsigned thread = n->tree->transition.thread;
  bool able = pv_enabled_threads(f) & PV_THREAD_BIT(thread);
  if (!able ||
      !expand(s, n, f->at[thread].alternatives)) { /* the order of primitives left it open, */
    pv_dpor_need_awaited(s, f, thread);            /* or what it waits for is relevant */
    leave_out(s);
    return;
  }
  if (is_in_sleep_set(n, thread, n->tree->transition.alternative)) {
    leave_out(s);
    return;
  }
  struct pv_wakeup_node *w = n->tree, *then = w->first;
  w->first = NULL;
  n->explored = true;
  n->seen |= PV_THREAD_BIT(thread);
  unsigned alternative = w->transition.alternative;
  bool stays = w->transition.what.stays;
  w->transition = pv_trace_next(t, t->events.n, thread);
  w->transition.alternative = alternative;
  bool one = pv_trace_is_section(t, &w->transition);
  struct pv_dpor_node *next = pv_dpor_push_node(s, then);
  struct pv_transition said = w->transition;
  said.what.stays &= stays || s->kind != PV_DPOR_OPTIMAL;
  if (!one) keep_in_sleep_set(s, &said, next);
  s->result->stats.transitions++;
  enum pv_outcome outcome = pv_trace_do(t, &w->transition);
  w->transition.inner = pv_vec_last(&t->events).transition.inner;
  w->transition.marks = pv_vec_last(&t->events).transition.marks;
  if (one) keep_in_sleep_set(s, &w->transition, next);
  if (outcome == PV_PRUNED) s->result->stats.pruned++;
  pv_dpor_check_races(s);
  if (s->kind != PV_DPOR_OPTIMAL) pv_dpor_reverse(s, t->events.n - 1);
}

bool pv_dpor_limited(struct pv_dpor_search *s) {
  if (s->result->stats.transitions >= s->budget) {
    s->limited = s->is_over_budget = true;
    return true;
  }
  enum pv_limit l = pv_limits_check(s->task->limits, s->result->stats.transitions);
  if (l == PV_LIMIT_NONE && s->trace.journal.bytes.n < UINT32_MAX / 4) return false;
  /* The path of a single execution used up the memory. */
  if (l == PV_LIMIT_NONE) l = PV_LIMIT_MEMORY;
  uint64_t n = s->result->stats.executions;
  s->limited = true;
  pv_condition_add(&s->result->condition, pv_proviso_of_limit(l), NULL, 0,
                   "no error lies beyond the %llu execution%s explored (%s)", (unsigned long long)n,
                   n == 1 ? "" : "s", pv_proviso_kind_reasons[pv_proviso_of_limit(l)]);
  return true;
}

/* An estimate of the explored part of the tree of executions. It assumes that the known children of
 * a node have subtrees of equal size (the weighted backtrack estimator of Kilby, Slaney, Thiebaux,
 * Walsh, "Estimating search tree size", AAAI 2006). */
static double part_done(const struct pv_dpor_search *s) {
  double part = 0, share = 1;
  for (uint32_t i = 0; i < s->nodes.n && share > 1e-12; i++) {
    const struct pv_dpor_node *n = &s->nodes.at[i];
    double children = n->done;
    for (const struct pv_wakeup_node *c = n->tree; c; c = c->next) children++;
    if (children < 2) continue;
    part += share * n->done / children;
    share /= children;
  }
  return part;
}

void pv_dpor_progress(struct pv_dpor_search *s) {
  struct pv_stats *stats = &s->result->stats;
  if (!s->task->progress || stats->transitions % 4096) return;
  stats->part = part_done(s);
  s->task->progress(s->task->progress_user, stats);
  stats->part = 0;
}

static void forget(struct pv_dpor_search *s) {
  while (s->nodes.n) pv_wakeup_node_free(&s->wakeup_nodes, pv_vec_pop(&s->nodes).tree);
}

/* Could a thread be refused for lack of a number? The number that a thread gets depends on calls
 * that need not be in the slice. */
static bool lacks_threads(const struct pv_trace *t) {
  bool matter = t->at_thread_bound || pv_vm_renumbers(t->vm);
  return t->predicate && !t->predicate->has_threads && matter;
}

bool pv_dpor_begins_anew(const struct pv_dpor_search *s) {
  const struct pv_trace *t = &s->trace;
  return t->sections.grew || t->not_eager || t->comes_back || lacks_threads(t) ||
         (t->predicate && pv_predicate_is_too_small(t->predicate));
}

void pv_dpor_begin_anew(struct pv_dpor_search *s) {
  struct pv_trace *t = &s->trace;
  while (t->events.n) undo(s);
  /* In a section that is one event, everything without a clock counts as unordered. */
  if (t->sections.grew) pv_trace_forget_heap(t);
  t->sections.grew = t->not_eager = false;
  pv_waits_forget(&t->waits);
  pv_trace_let_come_back(t);
  if (lacks_threads(t)) pv_predicate_need_threads(t->predicate);
  if (t->predicate) pv_predicate_enlarge(t->predicate, t->vm);
  s->result->stats.enlarged++;
  s->result->stats.abandoned += s->result->stats.executions;
  s->result->stats.executions = s->result->stats.blocked = 0;
}

bool pv_dpor_walk(struct pv_dpor_search *s) {
  while (s->nodes.n > s->base && !s->stop && !pv_dpor_limited(s)) {
    pv_dpor_checkpoint(s);
    pv_dpor_share(s);
    struct pv_dpor_node *n = top(s);
    if (!n->arrived)
      arrive(s);
    else if (n->tree)
      step(s), pv_dpor_progress(s);
    else
      leave(s);
    if (!pv_dpor_begins_anew(s)) continue;
    forget(s);
    pv_dpor_begin_anew(s);
    return false;
  }
  return true;
}

static void walk(struct pv_dpor_search *s) {
  if (!s->nodes.n) pv_dpor_push_node(s, NULL);
  while (!pv_dpor_walk(s)) {
    s->base = 0; /* also of what was given away */
    pv_dpor_push_node(s, NULL);
  }
}

/* May a spurious wake-up, none of which was explored, make a difference? What is known of waits is
 * known once all executions were explored. */
static bool may_wake_up_otherwise(const struct pv_dpor_search *s) {
  const struct pv_options *o = s->task->options;
  bool all = !s->nodes.n && !s->stop && !s->given && !s->task->limits->depth &&
             o->preemptions == PV_ANY_PREEMPTIONS;
  return s->trace.waits.met && (s->trace.waits.doubt || !all);
}

bool pv_dpor_search(const struct pv_task *task, struct pv_vm *vm, const struct pv_sched *sched,
                    struct pv_predicate *predicate, struct pv_coverage_recorder *coverage,
                    uint64_t budget, struct pv_result *result) {
  struct pv_dpor_search s = {.task = task,
                             .result = result,
                             .kind = (enum pv_dpor_kind)task->options->dpor,
                             .budget = budget};
  struct pv_bytes stack;
  pv_dpor_prepare(&s, vm);
  bool continues = pv_dpor_continue(&s, vm, predicate, &stack);
  if (predicate && !continues && pv_predicate_may_renumber(predicate))
    pv_predicate_need_threads(predicate);
  if (predicate && !continues) pv_predicate_enlarge(predicate, vm);
  pv_trace_begin(&s.trace, task, sched, vm, predicate);
  s.trace.tell = pv_dpor_report;
  s.trace.coverage = coverage;
  if (coverage) pv_coverage_push(coverage, PV_RAN);
  s.trace.user = &s;
  if (continues) pv_dpor_continue_stack(&s, &stack);
  if (task->options->preemptions != PV_ANY_PREEMPTIONS)
    pv_dpor_bounded(&s);
  else if (continues || !pv_dpor_run_given(&s))
    walk(&s);
  if (may_wake_up_otherwise(&s))
    pv_condition_add(&result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "condition variables do not wake up spuriously");
  result->stats.path_bytes = pv_trace_bytes(&s.trace);
  pv_dpor_leave_open(&s);
  if (coverage && !s.given && task->options->preemptions == PV_ANY_PREEMPTIONS)
    result->coverage.share = s.nodes.n ? part_done(&s) : 1;
  forget(&s);
  for (uint32_t i = 0; i < s.nodes.cap; i++) pv_vec_free(&s.nodes.at[i].sleep_set);
  pv_vec_free(&s.nodes);
  pv_wakeup_pool_free(&s.wakeup_nodes);
  pv_vec_free(&s.path);
  pv_vec_free(&s.sequence.at);
  pv_vec_free(&s.rest);
  pv_open_part_clear(&s.needed);
  pv_map_free(&s.reported);
  pv_vec_free(&s.errors);
  pv_map_free(&s.raced);
  pv_robustness_free(&s.robustness);
  pv_trace_free(&s.trace);
  pv_vm_share(vm, NULL);
  pv_registry_free(s.registry);
  return !s.is_over_budget;
}
