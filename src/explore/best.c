/* best.c -- best-first searches: best, astar and beam.
 *
 * Rungta and Mercer, FMCAD 2006, section V. The orders are those of Pearl, "Heuristics" (1984), and
 * of Edelkamp, Lluch Lafuente, Leue, "Directed explicit model checking with HSF-SPIN", SPIN 2001.
 *
 * A state waits in a queue from the time it is generated until it is expanded. Sleep sets are not
 * used: they leave out no states, but they leave out transitions that were, or will be, executed in
 * another order. If only some states are expanded, that other order may come much later, and with
 * it the path to the error. Persistent sets are the same in all orders (reduce.h). So a search that
 * ends on its own finds the same states as breadth-first search.
 *
 * Conditions. What a limit leaves open are the states that wait, and the one in whose expansion it
 * was hit, each as the path in the tree; there are no sleep sets. best and beam also begin with a
 * given frontier. The states on the way to an open prefix are stored, but not expanded. If one of
 * them is reached otherwise it waits like a new one: what was examined there is covered only along
 * the prefix. A sleep set is taken as empty. States that beam dropped have a proviso of their own,
 * which leaves everything open.
 *
 *  - best: by the estimate; among equal estimates the state found last. With --ties interference,
 *    states first that were reached by a transition that interferes with the one before it: Wehrle,
 *    Kupferschmid, "Context-enhanced directed model checking", SPIN 2010. Deviation: they
 *    distinguish several degrees of interference; here a transition interferes with the last
 *    visible one or not.
 *  - astar: by the sum of depth and estimate, without reduction. A state that is reached by a
 *    shorter path waits again, so the estimate need not be consistent. An error is reported only
 *    when no waiting state could lead to one by fewer transitions. So if estimates are lower
 *    bounds, its path is a shortest one.
 *  - beam: like best, but only a bounded number of states wait; the worst ones are dropped. A
 *    dropped state is queued again when it is reached again. */
#include <stdlib.h>

#include "base/random.h"
#include "explore/guide.h"
#include "explore/queue.h"
#include "explore/tree.h"
#include "vm/depend.h"

/* CUT_OFF, PASSED (on the way to a given prefix): waits if it is reached again. */
enum status { NEW, WAITS, EXPANDED, CUT_OFF, PASSED };

struct best {
  struct pv_search *s;
  enum pv_search_kind kind;
  struct pv_guide *guide;
  struct pv_queue queue;
  struct pv_queue last; /* beam: the waiting states in reverse order */
  struct pv_tree tree;
  PV_VEC(uint8_t) status; /* by state: enum status; invalid for states that do not wait */
  uint32_t waiting;
  uint32_t at;  /* the state being expanded */
  bool shorter; /* a shorter path to a known state makes it wait again */
  struct {      /* ties by interference */
    bool on;
    PV_VEC(const struct pv_pending *) last; /* by state: the visible transition to it; NULL: none */
    /* The threads whose next transitions interfere with the transition that led to the state
     * being expanded. */
    pv_threads set;
  } interfering;
  struct { /* astar: the error found by the shortest path */
    bool any, by_choice;
    uint32_t length, state;
    struct pv_choice last; /* by_choice: its last choice, from the state */
    struct pv_event event;
  } found;
};

static void best_trace(void *order) {
  struct best *b = order;
  pv_tree_path(&b->tree, b->at, b->s);
}

/* ---- the queue ------------------------------------------------------------------------------- */
static struct pv_queued turned(struct pv_queued x) {
  return (struct pv_queued){~x.key, ~x.tie, ~x.state};
}

/* Takes the first waiting state from either queue. */
static bool take(struct best *b, bool last, uint32_t *state) {
  struct pv_queue *q = last ? &b->last : &b->queue;
  while (pv_queue_size(q)) {
    struct pv_queued x = pv_queue_pop(q);
    *state = last ? ~x.state : x.state;
    if (b->status.at[*state] != WAITS) continue;
    b->waiting--;
    return true;
  }
  return false;
}

static void cut_off(struct best *b) {
  uint32_t state;
  while (b->waiting > (uint64_t)b->s->task->options->queue_limit && take(b, true, &state))
    b->status.at[state] = CUT_OFF;
}

/* Queues the current state, which was reached by a transition of that thread. */
static void wait_for(struct best *b, uint32_t state, unsigned thread) {
  uint32_t estimate = pv_guide_estimate(b->guide);
  struct pv_queued x = {estimate, 0, state};
  if (b->kind == PV_SEARCH_ASTAR) {
    x.key = pv_distance_add(b->tree.nodes.at[state].depth, estimate);
    x.tie = estimate == PV_DISTANCE_NONE ? b->tree.nodes.at[state].depth : estimate;
  } else if (b->s->lots) {
    x.tie = (uint32_t)pv_random(&b->s->lot);
  } else if (b->interfering.on) {
    x.tie = !(b->interfering.set & PV_THREAD_BIT(thread));
  }
  if (b->status.at[state] != WAITS) b->waiting++;
  b->status.at[state] = WAITS;
  pv_queue_push(&b->queue, x);
  if (b->kind != PV_SEARCH_BEAM) return;
  pv_queue_push(&b->last, turned(x));
}

/* ---- ties by interference -------------------------------------------------------------------- */
/* Records the transition from the state being expanded to the given one. An invisible transition
 * cannot interfere with others, so the last visible one is kept. */
static void led_to(struct best *b, uint32_t state, unsigned thread) {
  if (!b->interfering.on) return;
  const struct pv_pending *p = b->s->moves.next[thread]; /* the pointer stays valid (moves.h) */
  if (p->kind == PV_PEND_LOCAL) p = b->interfering.last.at[b->at];
  if (state == b->interfering.last.n) pv_vec_push(&b->interfering.last, NULL);
  b->interfering.last.at[state] = p;
}

/* Call it when the current state is the one being expanded. */
static void find_interfering(struct best *b) {
  if (!b->interfering.on) return;
  const struct pv_moves *m = &b->s->moves;
  const struct pv_pending *last = b->interfering.last.at[b->at];
  b->interfering.set = 0;
  PV_FOR_THREADS(t, m->able)
  if (!last || last->thread == t || !pv_independent(b->s->vm, b->s->sched, last, m->next[t]))
    b->interfering.set |= PV_THREAD_BIT(t);
}

/* ---- expansion ------------------------------------------------------------------------------- */
static void best_arrive(void *order, struct pv_choice c, uint32_t state, bool is_new,
                        pv_threads sleep_set) {
  struct best *b = order;
  (void)sleep_set;
  if (is_new) {
    pv_tree_add(&b->tree, b->at, c);
    pv_vec_push(&b->status, NEW);
    led_to(b, state, c.thread);
    wait_for(b, state, c.thread);
    return;
  }
  b->s->result->stats.matched++;
  bool shortened = b->shorter && pv_tree_shorten(&b->tree, state, b->at, c);
  bool dropped = b->status.at[state] == CUT_OFF || b->status.at[state] == PASSED;
  if (!shortened && !dropped) return;
  if (shortened) led_to(b, state, c.thread);
  pv_space_enter(&b->s->space);
  wait_for(b, state, c.thread);
}

static void expand(struct best *b, uint32_t state) {
  struct pv_search *s = b->s;
  uint64_t depth = b->tree.nodes.at[state].depth;
  b->status.at[state] = EXPANDED;
  if (s->task->limits->depth && depth >= s->task->limits->depth) {
    pv_search_depth_cut(s);
    return;
  }
  if (depth > s->result->stats.depth) s->result->stats.depth = depth;
  b->at = state;
  pv_space_back(&s->space, state, NULL);
  struct pv_visit v = pv_search_first_visit(s, 0);
  find_interfering(b);
  pv_search_explore(s, &v, best_arrive);
  if (s->task->limits->hit != PV_LIMIT_NONE) b->status.at[state] = WAITS; /* some of its moves */
  if (b->kind == PV_SEARCH_BEAM) cut_off(b);
}

/* ---- the shortest path ----------------------------------------------------------------------- */
static void keep_shortest(void *order, const struct pv_event *e, const struct pv_choice *last) {
  struct best *b = order;
  uint32_t length = b->tree.nodes.at[b->at].depth + (last != NULL);
  if (b->found.any && b->found.length <= length) return;
  b->found.any = true;
  b->found.by_choice = last != NULL;
  b->found.length = length;
  b->found.state = b->at;
  if (last) b->found.last = *last;
  b->found.event = *e;
}

/* Can no waiting state lead to an error by fewer transitions? */
static bool is_shortest(const struct best *b) {
  return b->found.any && (!b->waiting || pv_queue_first(&b->queue)->key >= b->found.length);
}

static void tell_shortest(struct best *b, bool ended) {
  struct pv_search *s = b->s;
  const char *lacks = pv_guide_lacks(b->guide);
  bool all = !s->result->condition.provisos.n;
  if (lacks)
    pv_vec_push(&s->result->notes,
                pv_format("estimates were 0, for lack of lower bounds: %s", lacks));
  s->found = NULL;
  if (!ended) pv_search_limit(s, b->waiting); /* a limit was hit; record it */
  if (!b->found.any) return;
  b->at = b->found.state;
  pv_search_report(s, &b->found.event, b->found.by_choice ? &b->found.last : NULL);
  if (ended)
    pv_vec_push(&s->result->notes,
                pv_format("no path to an error has fewer transitions than these %u%s",
                          b->found.length, all ? "" : ", of those that no proviso leaves out"));
}

/* ---- conditions in and out ------------------------------------------------------------------- */
static void best_open(void *order, struct pv_open_part *out) {
  struct best *b = order;
  uint32_t n = b->tree.nodes.n;
  uint8_t *open = pv_alloc(n + 1);
  for (uint32_t i = 0; i < n; i++) open[i] = b->status.at[i] == WAITS;
  pv_tree_open(&b->tree, open, NULL, out);
  free(open);
}

/* Makes a choice from a state. Returns false if it cannot be made there. *to: the state reached. */
static bool follow_choice(struct best *b, uint32_t from, struct pv_choice c, uint32_t *to) {
  struct pv_search *s = b->s;
  bool is_new, back;
  pv_space_back(&s->space, from, NULL);
  pv_moves_find(s->cache, &s->moves);
  bool able = c.thread < PV_MAX_THREADS && (s->moves.able & PV_THREAD_BIT(c.thread));
  if (!able || c.alternative >= s->moves.alternatives[c.thread]) return false;
  if (pv_space_step(&s->space, c.thread, c.alternative, &back) != PV_RAN) return false;
  *to = pv_space_find(&s->space, &is_new);
  pv_space_enter(&s->space);
  if (!is_new) return true;
  pv_tree_add(&b->tree, from, c);
  pv_vec_push(&b->status, PASSED);
  b->at = from;
  led_to(b, *to, c.thread);
  return true;
}

/* The open prefixes wait. Returns false if one of them cannot be followed. */
static bool begin_given(struct best *b, const struct pv_open_part *given) {
  PV_VEC(uint32_t) path = {0}; /* the states of the prefix, by depth */
  bool all = true;
  for (uint32_t i = 0; i < given->prefixes.n && all; i++) {
    const struct pv_prefix *x = &given->prefixes.at[i];
    uint32_t state = 0;
    if (i) all = follow_choice(b, path.at[x->depth - 1], x->choice, &state);
    path.n = x->depth;
    pv_vec_push(&path, state);
    if (!all || !x->is_open || b->status.at[state] == WAITS) continue;
    pv_space_back(&b->s->space, state, NULL);
    wait_for(b, state, x->choice.thread);
  }
  pv_vec_free(&path);
  return all;
}

static void begin(struct best *b) {
  struct pv_search *s = b->s;
  const struct pv_open_part *given = b->kind == PV_SEARCH_ASTAR ? NULL : pv_search_given(s);
  bool is_new;
  pv_space_start(&s->space);
  pv_space_save(&s->space, &is_new);
  pv_tree_begin(&b->tree);
  pv_vec_push(&b->status, PASSED);
  if (given && begin_given(b, given)) return;
  pv_space_back(&s->space, 0, NULL);
  if (b->status.at[0] != WAITS) wait_for(b, 0, 0); /* all executions */
}

/* ---- all ------------------------------------------------------------------------------------- */
static void note_cut(const struct best *b) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < b->status.n; i++) n += b->status.at[i] == CUT_OFF;
  if (!n) return;
  pv_condition_add(&b->s->result->condition, PV_PROVISO_QUEUE, NULL, 0,
                   "no error lies behind the %llu state%s cut off (--queue-limit %ld)",
                   (unsigned long long)n, n == 1 ? "" : "s", b->s->task->options->queue_limit);
}

void pv_search_best(struct pv_search *s, enum pv_search_kind kind, struct pv_guide *guide) {
  struct best b = {.s = s, .kind = kind, .guide = guide};
  bool astar = kind == PV_SEARCH_ASTAR && !s->task->options->keep_going;
  uint32_t state;
  b.shorter = kind == PV_SEARCH_ASTAR || s->task->limits->depth;
  b.interfering.on = s->task->options->ties == PV_TIES_INTERFERENCE;
  if (b.interfering.on) pv_vec_push(&b.interfering.last, NULL);
  s->trace = best_trace;
  s->order = &b;
  if (astar) s->found = keep_shortest;
  s->open = best_open;
  begin(&b);
  while (!s->stop && !is_shortest(&b)) {
    if (pv_search_limit(s, b.waiting) || !take(&b, false, &state)) break;
    pv_search_progress(s);
    s->waiting = b.waiting;
    expand(&b, state);
    pv_search_checkpoint(s);
  }
  if (astar) tell_shortest(&b, !s->stop);
  pv_search_leave_open(s);
  if (kind == PV_SEARCH_BEAM && !s->result->violations.n) note_cut(&b);
  pv_search_count(s);
  pv_tree_free(&b.tree, s);
  pv_queue_free(&b.queue);
  pv_queue_free(&b.last);
  pv_vec_free(&b.status);
  pv_vec_free(&b.interfering.last);
}
