/* bfs.c -- breadth-first search.
 *
 * An error of a transition is found when its source state is expanded; an error that a state shows,
 * when that state is visited. So a transition from one state of level d may end in an error, of
 * depth d + 1, before another state of level d shows one, of depth d. Therefore the first error is
 * held back until the rest of the level was visited. */
#include <stdlib.h>

#include "explore/tree.h"

struct again {            /* a visit to a state that was visited before */
  uint32_t state, before; /* it takes place before the first visit of state `before` */
  pv_threads todo, sleep_set;
};
struct bfs {
  struct pv_search *s;
  uint32_t state, visited; /* the state being visited; the last state whose first visit has begun */
  struct pv_tree tree;
  PV_VEC(struct again) again; /* in the order they were found */
  uint32_t next_again;
  struct { /* an error of a transition from that state; no state is expanded any more */
    bool any;
    uint32_t state;
    struct pv_choice last;
    struct pv_event event;
  } held;
};

static void bfs_trace(void *order) {
  struct bfs *b = order;
  pv_tree_path(&b->tree, b->state, b->s);
}

/* A successor was stored. A new state waits for its first visit; a known state may have to be
 * visited again. */
static void bfs_arrive(void *order, struct pv_choice c, uint32_t state, bool is_new,
                       pv_threads sleep_set) {
  struct bfs *b = order;
  struct pv_search *s = b->s;
  struct pv_visit v;
  if (is_new) {
    pv_tree_add(&b->tree, b->state, c);
    s->waiting++;
    if (s->sleep) pv_masks_set(&s->left_out, state, sleep_set);
  } else if (state > b->visited) {
    s->result->stats.matched++;
    if (s->sleep) pv_masks_set(&s->left_out, state, pv_masks_get(&s->left_out, state) & sleep_set);
  } else if (pv_search_visit_again(s, state, sleep_set, &v)) {
    struct again a = {state, b->tree.nodes.n, v.todo, v.sleep_set};
    pv_vec_push(&b->again, a);
  }
}

static void hold(void *order, const struct pv_event *e, const struct pv_choice *last) {
  struct bfs *b = order;
  b->s->stop = true;
  if (b->held.any) return;
  b->held.any = true;
  b->held.state = b->state;
  b->held.last = *last;
  b->held.event = *e;
}

static void bfs_explore(struct bfs *b, struct pv_visit *v) {
  struct pv_search *s = b->s;
  if (!s->task->options->keep_going) s->found = hold;
  pv_search_explore(s, v, bfs_arrive);
  s->found = NULL;
  if (s->task->limits->hit != PV_LIMIT_NONE) pv_search_limit(s, s->waiting);
}

/* Reports the error held back, or an error that an unvisited state of its level shows. */
static void tell_held(struct bfs *b) {
  struct pv_search *s = b->s;
  uint32_t level = b->tree.nodes.at[b->held.state].depth;
  s->stop = false;
  for (uint32_t state = b->visited + 1; state < b->tree.nodes.n && !s->stop; state++) {
    if (b->tree.nodes.at[state].depth > level) continue;
    if (pv_search_limit(s, b->tree.nodes.n - state)) break;
    b->state = state;
    pv_space_back(&s->space, state, NULL);
    pv_search_look(s);
  }
  b->state = b->held.state;
  pv_search_report(s, &b->held.event, &b->held.last); /* unless an error was reported in between */
}

/* Makes the visits that were requested while the states before `state` were visited. */
static void bfs_again(struct bfs *b, uint32_t state) {
  while (b->next_again < b->again.n && b->again.at[b->next_again].before <= state && !b->s->stop) {
    struct again a = b->again.at[b->next_again++];
    uint32_t first = b->state;
    b->state = a.state;
    pv_space_back(&b->s->space, a.state, NULL);
    struct pv_visit v = {a.state, pv_space_mark(&b->s->space), a.todo, a.sleep_set, 0};
    bfs_explore(b, &v);
    b->state = first;
  }
}

void pv_search_bfs(struct pv_search *s) {
  struct bfs b = {.s = s};
  bool is_new;
  s->trace = bfs_trace;
  s->order = &b;
  pv_space_start(&s->space);
  pv_space_save(&s->space, &is_new);
  pv_tree_begin(&b.tree);
  for (uint32_t state = 0; state < b.tree.nodes.n && !s->stop; state++) {
    if (pv_search_limit(s, b.tree.nodes.n - state)) break;
    pv_search_progress(s);
    uint32_t depth = b.tree.nodes.at[state].depth;
    if (s->task->limits->depth && depth >= s->task->limits->depth) {
      pv_search_depth_cut(s);
      break;
    }
    if (depth > s->result->stats.depth) s->result->stats.depth = depth;
    b.state = b.visited = state;
    pv_space_back(&s->space, state, NULL);
    struct pv_visit v = pv_search_first_visit(s, s->sleep ? pv_masks_get(&s->left_out, state) : 0);
    bfs_explore(&b, &v);
    bfs_again(&b, state + 1);
  }
  if (b.held.any) tell_held(&b);
  pv_search_count(s);
  pv_tree_free(&b.tree, s);
  pv_vec_free(&b.again);
}
