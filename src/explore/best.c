/* best.c -- what seems nearest to an error first (paper 000; Edelkamp, Lluch Lafuente, Leue,
 * "Directed explicit-state model checking", for the orders).
 *
 * A state waits in a queue from when it is generated to when it is expanded. Without sleep sets:
 * they leave out no state, but transitions that were, or will be, done in another order; where only
 * some of the states are looked at the other order may be far away, and the way to the error with
 * it. */
#include <stdlib.h>

#include "explore/guide.h"
#include "explore/queue.h"
#include "explore/tree.h"

struct best {
  struct pv_search *s;
  struct pv_guide *guide;
  struct pv_queue queue;
  struct pv_tree tree;
  PV_VEC(uint8_t) expanded; /* by state */
  uint32_t at;              /* the state being expanded */
  bool shorter;             /* a way that is shorter than what was known makes a state wait again */
};

static void best_trace(void *order) {
  struct best *b = order;
  pv_tree_path(&b->tree, b->at, b->s);
}

/* The state at hand waits. */
static void wait_for(struct best *b, uint32_t state) {
  struct pv_queued x = {pv_guide_estimate(b->guide), 0, state};
  pv_queue_push(&b->queue, x);
}

static void best_arrive(void *order, struct pv_choice c, uint32_t state, bool is_new,
                        pv_threads asleep) {
  struct best *b = order;
  (void)asleep;
  if (is_new) {
    pv_tree_add(&b->tree, b->at, c);
    pv_vec_push(&b->expanded, 0);
    wait_for(b, state);
    return;
  }
  b->s->result->stats.matched++;
  if (!b->shorter || !pv_tree_shorten(&b->tree, state, b->at, c)) return;
  b->expanded.at[state] = 0;
  pv_space_enter(&b->s->space);
  wait_for(b, state);
}

static void expand(struct best *b, uint32_t state) {
  struct pv_search *s = b->s;
  uint64_t depth = b->tree.nodes.at[state].depth;
  if (b->expanded.at[state]) return; /* it waited twice */
  if (s->task->limits->depth && depth >= s->task->limits->depth) {
    pv_search_depth_cut(s);
    return;
  }
  if (depth > s->result->stats.depth) s->result->stats.depth = depth;
  b->at = state;
  b->expanded.at[state] = 1;
  pv_space_back(&s->space, state, NULL);
  struct pv_visit v = pv_search_first_visit(s, 0);
  pv_search_explore(s, &v, best_arrive);
}

void pv_search_best(struct pv_search *s, struct pv_guide *guide) {
  struct best b = {.s = s, .guide = guide, .shorter = s->task->limits->depth != 0};
  bool is_new;
  s->trace = best_trace;
  s->order = &b;
  pv_space_start(&s->space);
  pv_space_save(&s->space, &is_new);
  pv_tree_begin(&b.tree);
  pv_vec_push(&b.expanded, 0);
  wait_for(&b, 0);
  while (pv_queue_size(&b.queue) && !s->stop) {
    s->waiting = pv_queue_size(&b.queue);
    if (pv_search_limit(s, s->waiting)) break;
    pv_search_progress(s);
    expand(&b, pv_queue_pop(&b.queue).state);
  }
  pv_search_count(s);
  pv_tree_free(&b.tree, s);
  pv_queue_free(&b.queue);
  pv_vec_free(&b.expanded);
}
