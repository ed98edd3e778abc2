/* bfs.c -- breadth first. */
#include <stdlib.h>

#include "explore/search.h"

struct parent {
  uint32_t state, depth;
  uint16_t thread, way;
};
struct again {            /* a visit to a state that was visited before */
  uint32_t state, before; /* takes place before the first visit of that state */
  pv_threads todo, asleep;
};
struct bfs {
  struct pv_search *s;
  uint32_t state, visited;       /* being visited; the last one that was for the first time */
  PV_VEC(struct parent) parents; /* by state */
  PV_VEC(struct again) again;    /* in the order they were found */
  uint32_t next_again;
};

static void bfs_trace(void *order) {
  struct bfs *b = order;
  b->s->path.n = 0;
  for (uint32_t x = b->state; x; x = b->parents.at[x].state) {
    struct pv_choice c = {b->parents.at[x].thread, b->parents.at[x].way};
    pv_vec_push(&b->s->path, c);
  }
  for (uint32_t i = 0, k = b->s->path.n; i + 1 < k; i++, k--) {
    struct pv_choice c = b->s->path.at[i];
    b->s->path.at[i] = b->s->path.at[k - 1];
    b->s->path.at[k - 1] = c;
  }
}

/* A successor was saved: a new state waits for its first visit, a known one perhaps for another. */
static void bfs_arrive(struct bfs *b, struct pv_choice c, uint32_t state, bool is_new,
                       pv_threads asleep) {
  struct pv_search *s = b->s;
  struct pv_visit v;
  if (is_new) {
    struct parent p = {b->state, b->parents.at[b->state].depth + 1, (uint16_t)c.thread,
                       (uint16_t)c.way};
    pv_vec_push(&b->parents, p);
    s->waiting++;
    if (s->sleep) pv_masks_set(&s->left_out, state, asleep);
  } else if (state > b->visited) {
    s->result->stats.matched++;
    if (s->sleep) pv_masks_set(&s->left_out, state, pv_masks_get(&s->left_out, state) & asleep);
  } else if (pv_search_visit_again(s, state, asleep, &v)) {
    struct again a = {state, b->parents.n, v.todo, v.asleep};
    pv_vec_push(&b->again, a);
  }
}

static void bfs_explore(struct bfs *b, struct pv_visit *v) {
  struct pv_search *s = b->s;
  bool is_new;
  while (v->todo && !s->stop) {
    unsigned t = (unsigned)__builtin_ctzll(v->todo);
    v->todo &= v->todo - 1;
    pv_space_back(&s->space, v->state, &v->mark);
    unsigned progress, ways = pv_moves_ways(s->cache, t, &progress);
    pv_threads pass = pv_search_pass(s, v, t);
    for (unsigned way = 0; way < ways && !s->stop; way++) {
      struct pv_choice c = {t, way};
      pv_space_back(&s->space, v->state, &v->mark);
      if (pv_search_step(s, v, c) != PV_RAN) continue;
      uint32_t state = pv_space_find(&s->space, &is_new);
      bfs_arrive(b, c, state, is_new, pass);
    }
  }
}

/* Visits that were asked for while the states before `state` were visited. */
static void bfs_again(struct bfs *b, uint32_t state) {
  while (b->next_again < b->again.n && b->again.at[b->next_again].before <= state && !b->s->stop) {
    struct again a = b->again.at[b->next_again++];
    uint32_t first = b->state;
    b->state = a.state;
    pv_space_back(&b->s->space, a.state, NULL);
    struct pv_visit v = {a.state, pv_space_mark(&b->s->space), a.todo, a.asleep, 0};
    bfs_explore(b, &v);
    b->state = first;
  }
}

void pv_search_bfs(struct pv_search *s) {
  struct bfs b = {.s = s};
  bool is_new;
  struct parent none = {0, 0, 0, 0};
  s->trace = bfs_trace;
  s->order = &b;
  pv_space_start(&s->space);
  pv_space_save(&s->space, &is_new);
  pv_vec_push(&b.parents, none);
  for (uint32_t state = 0; state < b.parents.n && !s->stop; state++) {
    if (pv_search_limit(s, b.parents.n - state)) break;
    pv_search_progress(s);
    uint32_t depth = b.parents.at[state].depth;
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
  pv_search_count(s);
  s->result->stats.parent_bytes = (uint64_t)b.parents.cap * sizeof *b.parents.at;
  pv_vec_free(&b.parents);
  pv_vec_free(&b.again);
}
