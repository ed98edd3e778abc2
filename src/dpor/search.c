#include "dpor/search.h"

#include "dpor/path.h"

#include <stdlib.h>
#include <string.h>

/* The state after so many events. */
struct node {
  struct pv_wake *tree; /* what to explore; the first child is being explored, if `open` */
  PV_VEC(struct pv_deed) asleep;
  pv_threads seen;              /* threads that are children, or were */
  bool arrived, open, explored; /* explored: something was */
};
struct search {
  const struct pv_task *task;
  struct pv_result *result;
  enum pv_dpor_kind kind;
  struct pv_trace trace;
  PV_VEC(struct node) nodes;
  struct pv_map reported; /* errors, by property, place and message */
  struct pv_map raced;    /* pairs of operations that were looked at for data races */
  pv_choices path;
  struct pv_sequence sequence;
  uint64_t depth_cuts;
  bool stop;
};

static struct node *top(struct search *s) {
  return &s->nodes.at[s->nodes.n - 1];
}

/* ---- errors ---------------------------------------------------------------------------------- */
/* An error behind the path, or, if that is NULL, behind the execution at hand. */
static void report_behind(struct search *s, const pv_choices *path, const struct pv_event *e) {
  struct pv_error_key wanted = pv_event_key(e);
  struct pv_str key = {0};
  bool is_new;
  pv_str_addf(&key, "%d %u %s", (int)e->property, e->span, e->message);
  pv_map_put_str(&s->reported, pv_str_cstr(&key), 0, &is_new);
  pv_str_free(&key);
  if (!is_new || (s->result->violations.n && !s->task->options->keep_going)) return;
  struct pv_violation v = {0};
  if (!path) pv_dpor_path(&s->trace, &s->path);
  s->task->replay_choices(s->task, s->path.at, s->path.n, &wanted, &v);
  struct pv_error_key got = {v.property, v.span, v.message ? v.message : ""};
  if (!v.replayed || !pv_error_is(&got, &wanted)) { /* the plan turns it into a proviso */
    pv_violation_clear(&v);
    v = (struct pv_violation){.property = e->property,
                              .span = e->span,
                              .message = pv_strdup(e->message),
                              .file = pv_strdup(pv_span_file(s->task->program, e->span)),
                              .function = pv_strdup(e->function ? e->function->name : "?"),
                              .line = pv_span_of(s->task->program, e->span)->line};
  }
  pv_vec_push(&s->result->violations, v);
  if (!s->task->options->keep_going) s->stop = true;
}

static void report(void *user, const struct pv_event *e) {
  report_behind(user, NULL, e);
}

/* Every pair of operations once. */
static void look_at_races(struct search *s) {
  const struct pv_trace *t = &s->trace;
  const struct pv_dpor_event *e = &pv_vec_last(&t->events);
  if (!(s->task->properties & PV_PROP_BIT(PV_PROP_NO_DATA_RACE))) return;
  for (uint32_t i = 0; i < e->n_races; i++) {
    uint32_t earlier = t->races.at[e->races + i];
    const struct pv_deed *d = &t->events.at[earlier].deed;
    const struct pv_edge *key[2] = {d->what.edge, e->deed.what.edge};
    struct pv_event error;
    if (!pv_pending_conflict(&d->what, &e->deed.what)) continue;
    if (pv_map_get(&s->raced, key, sizeof key)) continue;
    if (!pv_dpor_data_race(t, earlier, &s->path, &error)) continue; /* only behind another error */
    pv_map_put(&s->raced, key, sizeof key, 0, NULL);
    report_behind(s, &s->path, &error);
  }
}

/* What the state at hand shows: races, deadlock. A thread whose path has ended is slow. */
static void look(struct search *s) {
  const struct pv_front *f = pv_trace_front(&s->trace);
  struct pv_moves m = {.n = f->n, .alive = f->alive, .able = f->able, .exclusive = f->exclusive};
  m.lively = f->able | f->stuck;
  PV_FOR_THREADS(i, f->alive) m.next[i] = &s->trace.pendings.at[f->next[i]];
  pv_state_errors(s->trace.vm, s->task, &m, report, s);
}

/* ---- races ----------------------------------------------------------------------------------- */
static void add(struct pv_sequence *v, const struct pv_deed *d, const struct pv_clock *c) {
  struct pv_wake_event e = {d, c, false};
  pv_vec_push(&v->at, e);
}

/* What came after event e and not because of it, then `deed`, which comes first instead. */
static void without(struct search *s, uint32_t e, uint32_t end, const struct pv_deed *deed,
                    const struct pv_clock *clock) {
  const struct pv_trace *t = &s->trace;
  const struct pv_deed *first = &t->events.at[e].deed;
  s->sequence.at.n = 0;
  for (uint32_t i = e + 1; i < end; i++) {
    const struct pv_dpor_event *x = &t->events.at[i];
    if (x->deed.thread == deed->thread && x->deed.index == deed->index) continue;
    /* nothing comes after the end of the program; what does not matter is done when it can be */
    if (x->deed.what.kind == PV_PEND_END || x->deed.hidden) continue;
    if (x->clock.at[first->thread] < first->index) add(&s->sequence, &x->deed, &x->clock);
  }
  add(&s->sequence, deed, clock);
}

static bool sleeps(struct search *s, const struct node *n) {
  uint32_t which;
  for (uint32_t i = 0; i < n->asleep.n; i++)
    if (pv_wake_initial(&s->trace, &s->sequence, &n->asleep.at[i], &which)) return true;
  return false;
}

static void backtrack(struct search *s, uint32_t e, unsigned thread) {
  struct node *n = &s->nodes.at[e];
  struct pv_deed d = pv_trace_next(&s->trace, e, thread);
  if (n->seen & PV_THREAD_BIT(thread)) return;
  n->seen |= PV_THREAD_BIT(thread);
  pv_wake_append(&n->tree, &d);
  s->result->stats.races++;
}

/* Source sets: one of the threads that may begin the sequence. */
static void add_source(struct search *s, uint32_t e) {
  const struct pv_sequence *v = &s->sequence;
  const struct node *n = &s->nodes.at[e];
  unsigned first = PV_NO_THREAD;
  for (uint32_t i = 0; i < v->at.n; i++) {
    uint32_t which;
    struct pv_deed d = *v->at.at[i].deed;
    if (!pv_wake_initial(&s->trace, v, &d, &which) || which != i) continue;
    if (n->seen & PV_THREAD_BIT(d.thread)) return;
    if (first == PV_NO_THREAD) first = d.thread;
  }
  if (first != PV_NO_THREAD) backtrack(s, e, first);
}

/* Backtrack sets: a thread whose step after e led its thread to the deed, or all. */
static void add_classic(struct search *s, uint32_t e, uint32_t end, const struct pv_deed *deed) {
  const struct pv_trace *t = &s->trace;
  const struct pv_clock *clock = pv_trace_before(t, end, deed);
  pv_threads able = pv_front_able(&t->fronts.at[e]), set = able & PV_THREAD_BIT(deed->thread);
  for (uint32_t i = e + 1; i < end; i++) {
    const struct pv_deed *d = &t->events.at[i].deed;
    if (clock && clock->at[d->thread] >= d->index) set |= able & PV_THREAD_BIT(d->thread);
  }
  if (set & s->nodes.at[e].seen) return;
  if (set & PV_THREAD_BIT(deed->thread)) set = PV_THREAD_BIT(deed->thread);
  if (set) set &= ~(set - 1); /* any one */
  PV_FOR_THREADS(i, set ? set : able) backtrack(s, e, i);
}

/* May the sequence begin after e events? If what it begins with has no way there, it is what e was
 * found to race with, and e gave it its way. */
static bool is_possible(const struct search *s, uint32_t e) {
  unsigned first = s->sequence.at.at[0].deed->thread;
  return s->trace.fronts.at[e].able & PV_THREAD_BIT(first);
}

/* Has the deed, which is event `at` or comes there, before what it races with. */
static void reverse(struct search *s, uint32_t at, struct pv_deed deed,
                    const struct pv_clock *clock, const uint32_t *races, uint32_t n) {
  const struct pv_trace *t = &s->trace;
  const struct pv_pending *p = &deed.what;
  bool several =
      p->kind == PV_PEND_ALLOC || (p->kind == PV_PEND_PRIM && p->call.phase & PV_PHASE_SEVERAL);
  deed.way = several ? PV_ANY_WAY : 0;
  uint32_t end = s->kind == PV_DPOR_OPTIMAL ? t->events.n : at;
  for (uint32_t i = 0; i < n; i++) {
    struct node *node = &s->nodes.at[races[i]];
    without(s, races[i], end, &deed, clock);
    if (s->kind == PV_DPOR_CLASSIC) {
      add_classic(s, races[i], end, &deed);
    } else if (s->kind == PV_DPOR_SOURCE) {
      add_source(s, races[i]);
    } else if (is_possible(s, races[i]) && !sleeps(s, node)) {
      s->result->stats.races += pv_wake_insert(t, &node->tree, &s->sequence);
    }
  }
}

static void reverse_event(struct search *s, uint32_t at) {
  const struct pv_dpor_event *e = &s->trace.events.at[at];
  if (e->n_races) reverse(s, at, e->deed, &e->clock, s->trace.races.at + e->races, e->n_races);
}

/* What the thread waits for, for ever. */
static void reverse_waiting(struct search *s, unsigned thread) {
  struct pv_clock clock;
  uint32_t races[PV_RACES], n = pv_trace_races(&s->trace, thread, races, &clock);
  uint32_t at = s->trace.events.n;
  if (n) reverse(s, at, pv_trace_next(&s->trace, at, thread), &clock, races, n);
}

/* What threads wait for races, too, with what closed it. Also where an execution is given up: that
 * others have explored what comes next does not mean that they had these threads first. */
static void reverse_all_waiting(struct search *s, const struct pv_front *f) {
  pv_threads waiting = f->alive & ~f->able & ~f->ends & ~f->stuck & ~f->hiding;
  PV_FOR_THREADS(i, waiting) reverse_waiting(s, i);
}

/* ---- the walk -------------------------------------------------------------------------------- */
/* Who waits at what does not matter, and for nothing that could still come by itself, may have to
 * go before others. */
static void need_waiting(struct search *s, const struct pv_front *f) {
  struct pv_trace *t = &s->trace;
  PV_FOR_THREADS(i, f->hiding & f->alive & ~f->able & ~f->stuck)
  if (pv_predicate_is_ahead(t->predicate, t->vm, i))
    pv_predicate_need(t->predicate, &t->pendings.at[f->next[i]]);
}

/* Nobody goes on: an execution is complete. */
static void complete(struct search *s) {
  const struct pv_trace *t = &s->trace;
  bool ended = t->events.n && pv_vec_last(&t->events).deed.what.kind == PV_PEND_END;
  const struct pv_front *f = &t->fronts.at[t->fronts.n - 1 - ended];
  if (f->awaiting)
    s->result->stats.blocked++; /* where they find what they await it is another one */
  else
    s->result->stats.executions++;
  need_waiting(s, f);
  if (s->kind == PV_DPOR_OPTIMAL)
    for (uint32_t i = 0; i < t->events.n; i++) reverse_event(s, i);
  reverse_all_waiting(s, f);
}

/* What does not matter is done as soon as it can be; what was to come next comes after it. */
static bool go_past(struct search *s) {
  const struct pv_trace *t = &s->trace;
  const struct pv_front *f = pv_trace_front(t);
  struct node *n = top(s);
  pv_threads able = pv_front_able(f) & f->hiding;
  if (!able) return false;
  struct pv_deed d = pv_trace_next(t, t->events.n, (unsigned)__builtin_ctzll(able));
  struct pv_wake *after = n->tree;
  d.way = 0;
  n->tree = NULL;
  pv_wake_append(&n->tree, &d)->first = after;
  return true;
}

static bool is_asleep(const struct node *n, unsigned thread, unsigned way) {
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
static bool choose(struct search *s) {
  struct node *n = top(s);
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
static void go_anywhere(struct search *s) {
  const struct pv_front *f = pv_trace_front(&s->trace);
  if (choose(s)) return;
  s->result->stats.blocked++;
  reverse_all_waiting(s, f);
  need_waiting(s, f);
}

static void arrive(struct search *s) {
  struct node *n = top(s);
  const struct pv_trace *t = &s->trace;
  uint64_t depth = s->task->limits->depth;
  struct pv_stats *stats = &s->result->stats;
  n->arrived = true;
  look(s);
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

static void leave(struct search *s) {
  struct node n = pv_vec_pop(&s->nodes);
  pv_wake_free(n.tree);
  pv_vec_free(&n.asleep);
  if (!s->nodes.n) return;
  struct node *below = top(s);
  struct pv_wake *done = below->tree;
  if (s->kind != PV_DPOR_CLASSIC) pv_vec_push(&below->asleep, done->deed);
  below->tree = done->next;
  below->open = false;
  free(done);
  pv_trace_undo(&s->trace);
}

static void skip(struct node *n) {
  struct pv_wake *w = n->tree;
  n->tree = w->next;
  w->next = NULL;
  pv_wake_free(w);
}

/* One child for each way; false: there is none. */
static bool expand(struct node *n, unsigned ways) {
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
static void stay_asleep(struct search *s, const struct node *n, const struct pv_deed *deed,
                        struct node *next) {
  for (uint32_t i = 0; i < n->asleep.n; i++) {
    const struct pv_deed *d = &n->asleep.at[i];
    if (d->thread != deed->thread && !pv_trace_ordered(&s->trace, deed, d))
      pv_vec_push(&next->asleep, *d);
  }
}

static void step(struct search *s) {
  struct node *n = top(s);
  struct pv_trace *t = &s->trace;
  const struct pv_front *f = pv_trace_front(t);
  unsigned thread = n->tree->deed.thread;
  bool able = pv_front_able(f) & PV_THREAD_BIT(thread);
  if (!able || !expand(n, f->ways[thread])) { /* the order of primitives left it open, */
    if (f->hiding & PV_THREAD_BIT(thread))    /* or what it waits for has to do with what matters */
      pv_predicate_need(t->predicate, &t->pendings.at[f->next[thread]]);
    skip(n); /* others may have been left out, for it was to come before them */
    if (!n->tree && !n->explored) go_anywhere(s);
    return;
  }
  if (is_asleep(n, thread, n->tree->deed.way)) {
    skip(n);
    return;
  }
  struct pv_wake *w = n->tree;
  struct node next = {.tree = w->first};
  w->first = NULL;
  n->open = n->explored = true;
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
  for (uint32_t i = 0; i < passed; i++) report(s, &list[i]);
  if (outcome == PV_VIOLATED) report(s, pv_vm_event(t->vm));
  pv_vec_push(&s->nodes, next);
  look_at_races(s);
  if (s->kind != PV_DPOR_OPTIMAL) reverse_event(s, t->events.n - 1);
}

static bool limited(struct search *s) {
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

static void progress(struct search *s) {
  if (!s->task->progress || s->result->stats.transitions % 4096) return;
  s->task->progress(s->task->progress_user, &s->result->stats);
}

static void forget(struct search *s) {
  for (uint32_t i = 0; i < s->nodes.n; i++) {
    pv_wake_free(s->nodes.at[i].tree);
    pv_vec_free(&s->nodes.at[i].asleep);
  }
  s->nodes.n = 0;
}

/* From the beginning, if the slice has to be larger than it was, or sections are apart. */
static void begin_anew(struct search *s) {
  struct node root = {0};
  struct pv_trace *t = &s->trace;
  bool larger = t->predicate && pv_predicate_enlarge(t->predicate), apart = t->sections.grew;
  t->sections.grew = false;
  if (!larger && !apart) return;
  while (t->events.n) pv_trace_undo(t);
  forget(s);
  pv_vec_push(&s->nodes, root);
  if (larger) pv_predicate_hide(t->predicate, t->vm);
  s->result->stats.enlarged++;
  s->result->stats.abandoned += s->result->stats.executions;
  s->result->stats.executions = s->result->stats.blocked = 0;
}

void pv_dpor_search(const struct pv_task *task, struct pv_vm *vm, const struct pv_sched *sched,
                    struct pv_predicate *predicate, struct pv_result *result) {
  struct search s = {
      .task = task, .result = result, .kind = (enum pv_dpor_kind)task->options->dpor};
  struct node root = {0};
  if (predicate) pv_predicate_hide(predicate, vm);
  pv_trace_begin(&s.trace, task, sched, vm, predicate);
  pv_vec_push(&s.nodes, root);
  while (s.nodes.n && !s.stop && !limited(&s)) {
    struct node *n = top(&s);
    if (!n->arrived)
      arrive(&s);
    else if (n->tree)
      step(&s), progress(&s);
    else
      leave(&s);
    begin_anew(&s);
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
