/* best.c -- what seems nearest to an error first: searches best, astar and beam.
 *
 * Rungta and Mercer, FMCAD 2006, section V; the orders are those of Pearl, "Heuristics" (1984), and
 * of Edelkamp, Lluch Lafuente, Leue, "Directed explicit model checking with HSF-SPIN", SPIN 2001.
 *
 * A state waits in a queue from when it is generated to when it is expanded. Without sleep sets:
 * they leave out no state, but transitions that were, or will be, done in another order; where only
 * some of the states are looked at the other order may be far away, and the way to the error with
 * it. Persistent sets stay as they are in all orders (reduce.h): so the same states are found as
 * breadth first, if the search comes to its end.
 *
 *  - best: by the estimate alone; of equal ones what was found last. With --ties interference, of
 *    equal ones first those come to by a transition that interferes with the one before: Wehrle,
 *    Kupferschmid, "Context-enhanced directed model checking", SPIN 2010. Deviation: they tell
 *    several degrees of interference apart; here it is with the last visible transition, or none.
 *  - astar: by depth and estimate together, without reduction. A state that is reached by a shorter
 *    way waits again, so that the estimate need not be consistent. An error that was found is told
 * of when nothing that waits could lead to one by fewer transitions; so if estimates are lower
 *    bounds, no path is shorter.
 *  - beam: best, but of the states that wait only so many are kept: the last ones are cut off. One
 *    that was comes into the queue again when it is reached again. */
#include <stdlib.h>

#include "base/random.h"
#include "explore/guide.h"
#include "explore/queue.h"
#include "explore/tree.h"
#include "vm/depend.h"

enum status { NEW, WAITS, EXPANDED, CUT_OFF };

struct best {
  struct pv_search *s;
  enum pv_search_kind kind;
  struct pv_guide *guide;
  struct pv_queue queue;
  struct pv_queue last; /* beam: what waits the other way round */
  struct pv_tree tree;
  PV_VEC(uint8_t) status; /* by state: enum status; entries of states that do not wait are void */
  uint32_t waiting;
  uint32_t at;  /* the state being expanded */
  bool shorter; /* a way that is shorter than what was known makes a state wait again */
  struct {      /* ties by interference */
    bool on;
    PV_VEC(const struct pv_pending *) last; /* by state: visible transition to it; NULL: none */
    pv_threads set; /* whose next transitions interfere with what led to the state being expanded */
  } interfering;
  struct { /* astar: the error found by the shortest path */
    bool any, by_choice;
    uint32_t length, state;
    struct pv_choice last; /* by_choice: from the state */
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

/* Takes the first one that waits out of either queue. */
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

/* The state at hand, come to by a transition of that thread, waits. */
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
/* What the thread does from the state being expanded led to that one. What nobody sees is not what
 * others could interfere with. */
static void led_to(struct best *b, uint32_t state, unsigned thread) {
  if (!b->interfering.on) return;
  const struct pv_pending *p = b->s->moves.next[thread]; /* stays where it is (moves.h) */
  if (p->kind == PV_PEND_LOCAL) p = b->interfering.last.at[b->at];
  if (state == b->interfering.last.n) pv_vec_push(&b->interfering.last, NULL);
  b->interfering.last.at[state] = p;
}

/* The state being expanded is at hand. */
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
  if (!shortened && b->status.at[state] != CUT_OFF) return;
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

/* Can nothing that waits lead to an error by fewer transitions? */
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
  if (!ended) pv_search_limit(s, b->waiting); /* it was hit, and is noted now */
  if (!b->found.any) return;
  b->at = b->found.state;
  pv_search_report(s, &b->found.event, b->found.by_choice ? &b->found.last : NULL);
  if (ended)
    pv_vec_push(&s->result->notes,
                pv_format("no path to an error has fewer transitions than these %u%s",
                          b->found.length, all ? "" : ", of those that no proviso leaves out"));
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
  bool is_new;
  b.shorter = kind == PV_SEARCH_ASTAR || s->task->limits->depth;
  b.interfering.on = s->task->options->ties == PV_TIES_INTERFERENCE;
  if (b.interfering.on) pv_vec_push(&b.interfering.last, NULL);
  s->trace = best_trace;
  s->order = &b;
  if (astar) s->found = keep_shortest;
  pv_space_start(&s->space);
  pv_space_save(&s->space, &is_new);
  pv_tree_begin(&b.tree);
  pv_vec_push(&b.status, NEW);
  wait_for(&b, 0, 0);
  while (!s->stop && !is_shortest(&b)) {
    if (pv_search_limit(s, b.waiting) || !take(&b, false, &state)) break;
    pv_search_progress(s);
    expand(&b, state);
  }
  if (astar) tell_shortest(&b, !s->stop);
  if (kind == PV_SEARCH_BEAM && !s->result->violations.n) note_cut(&b);
  pv_search_count(s);
  pv_tree_free(&b.tree, s);
  pv_queue_free(&b.queue);
  pv_queue_free(&b.last);
  pv_vec_free(&b.status);
  pv_vec_free(&b.interfering.last);
}
