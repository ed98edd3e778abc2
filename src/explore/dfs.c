/* dfs.c -- depth first. */
#include <stdlib.h>

#include "explore/search.h"

struct frame {
  struct pv_visit visit;
  pv_threads pass;    /* the sleep set of the moving thread's successors */
  uint32_t thread;    /* that moves; PV_NO_THREAD: none yet */
  uint16_t way, ways; /* its next way */
};
struct dfs {
  struct pv_search *s;
  PV_VEC(struct frame) stack;
  PV_VEC(uint32_t) depth; /* by state, under a depth limit: the least at which it was reached */
};

static void dfs_trace(void *order) {
  struct dfs *d = order;
  d->s->path.n = 0;
  for (uint32_t i = 0; i + 1 < d->stack.n; i++) {
    struct pv_choice c = {d->stack.at[i].thread, (uint32_t)d->stack.at[i].way - 1};
    pv_vec_push(&d->s->path, c);
  }
}

static void push(struct dfs *d, const struct pv_visit *visit) {
  struct frame f = {.visit = *visit, .thread = PV_NO_THREAD};
  pv_vec_last(&d->stack) = f;
  if (d->stack.n > d->s->result->stats.depth) d->s->result->stats.depth = d->stack.n;
}

/* The frame is there before the visit, so that an error that the state shows has its path. */
static void push_first(struct dfs *d, pv_threads asleep) {
  struct frame f = {.thread = PV_NO_THREAD};
  pv_vec_push(&d->stack, f);
  struct pv_visit v = pv_search_first_visit(d->s, asleep);
  push(d, &v);
}

/* Under a depth limit a known state counts as known only if it was reached no later than now: what
 * was cut behind it then may be within reach now. */
static bool reached_earlier(struct dfs *d, uint32_t state) {
  while (d->depth.n <= state) pv_vec_push(&d->depth, UINT32_MAX);
  bool earlier = d->depth.at[state] > d->stack.n;
  if (earlier) d->depth.at[state] = d->stack.n;
  return earlier;
}

/* The next transition of the visit; false if there is none. */
static bool next_choice(struct dfs *d, struct frame *f, struct pv_choice *c) {
  if (f->way == f->ways) {
    if (!f->visit.todo) return false;
    f->thread = (unsigned)__builtin_ctzll(f->visit.todo);
    f->visit.todo &= f->visit.todo - 1;
    pv_space_back(&d->s->space, f->visit.state, &f->visit.mark);
    f->way = 0;
    unsigned progress;
    f->ways = (uint16_t)pv_moves_ways(d->s->cache, f->thread, &progress);
    f->pass = pv_search_pass(d->s, &f->visit, f->thread);
  }
  *c = (struct pv_choice){f->thread, f->way++};
  return true;
}

static void dfs_step(struct dfs *d, struct frame *f, struct pv_choice c) {
  struct pv_search *s = d->s;
  pv_threads pass = f->pass;
  bool is_new;
  pv_space_back(&s->space, f->visit.state, &f->visit.mark);
  if (pv_search_step(s, &f->visit, c) != PV_RAN) return;
  uint32_t state = pv_space_save(&s->space, &is_new);
  if (s->task->limits->depth && reached_earlier(d, state)) {
    if (d->stack.n >= s->task->limits->depth)
      pv_search_depth_cut(s);
    else
      push_first(d, pass);
    return;
  }
  struct pv_visit again;
  if (is_new) {
    push_first(d, pass);
  } else if (pv_search_visit_again(s, state, pass, &again)) {
    struct frame none = {0};
    pv_vec_push(&d->stack, none);
    push(d, &again);
  }
}

void pv_search_dfs(struct pv_search *s) {
  struct dfs d = {.s = s};
  struct pv_choice c;
  bool is_new;
  s->trace = dfs_trace;
  s->order = &d;
  pv_space_start(&s->space);
  pv_space_save(&s->space, &is_new);
  push_first(&d, 0);
  while (d.stack.n && !s->stop) {
    struct frame *f = &pv_vec_last(&d.stack);
    if (!next_choice(&d, f, &c)) {
      d.stack.n--;
      continue;
    }
    if (pv_search_limit(s, d.stack.n)) break;
    pv_search_progress(s);
    dfs_step(&d, f, c);
  }
  pv_search_count(s);
  pv_vec_free(&d.stack);
  pv_vec_free(&d.depth);
}
