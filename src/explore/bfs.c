/* bfs.c -- breadth-first search.
 *
 * An error of a transition is found when its source state is expanded; an error that a state shows,
 * when that state is visited. So a transition from one state of level d may end in an error, of
 * depth d + 1, before another state of level d shows one, of depth d. Therefore the first error is
 * held back until the rest of the level was visited. */
#include <stdlib.h>

#include "base/bytes.h"
#include "explore/tree.h"

struct again {            /* a visit to a state that was visited before */
  uint32_t state, before; /* it takes place before the first visit of state `before` */
  pv_threads todo, sleep_set;
};
struct bfs {
  struct pv_search *s;
  uint32_t next;           /* the first state without a visit */
  uint32_t state, visited; /* the state being visited; the last state whose first visit has begun */
  struct pv_tree tree;
  PV_VEC(struct again) again; /* in the order they were found */
  uint32_t next_again;
  uint32_t written; /* nodes of the tree that were written */
  bool is_cut;      /* a limit ended the search inside a visit */
  struct {          /* an error of a transition from that state; no state is expanded any more */
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
  if (s->task->limits->hit == PV_LIMIT_NONE) return;
  pv_search_limit(s, s->waiting);
  b->is_cut = true; /* some of its transitions, perhaps */
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
    if (b->is_cut) b->next_again--;
    b->state = first;
  }
}

/* ---- conditions in and out ------------------------------------------------------------------- */
static void bfs_open(void *order, struct pv_open_part *out) {
  struct bfs *b = order;
  const struct pv_search *s = b->s;
  uint32_t n = b->tree.nodes.n;
  uint8_t *open = pv_alloc(n);
  pv_threads *asleep = pv_alloc(n * sizeof *asleep);
  for (uint32_t i = b->next; i < n; i++) {
    open[i] = 1;
    asleep[i] = s->sleep ? pv_masks_get(&s->left_out, i) : 0;
  }
  for (uint32_t i = b->next_again; i < b->again.n; i++) {
    const struct again *a = &b->again.at[i];
    asleep[a->state] = open[a->state] ? asleep[a->state] & a->sleep_set : a->sleep_set;
    open[a->state] = 1;
  }
  pv_tree_open(&b->tree, open, asleep, out);
  out->circular = out->sleeping.n != 0;
  free(open);
  free(asleep);
}

static void bfs_write(void *order, bool more, struct pv_str *out) {
  struct bfs *b = order;
  uint32_t parent = 0, first = more ? b->written : 1;
  pv_put_number(out, b->next);
  pv_put_number(out, b->visited);
  pv_put_number(out, b->s->waiting);
  pv_put_number(out, b->tree.nodes.n);
  for (uint32_t i = first; i < b->tree.nodes.n; i++) {
    const struct pv_tree_node *n = &b->tree.nodes.at[i];
    pv_put_difference(out, parent, n->parent);
    pv_put_number(out, n->thread);
    pv_put_number(out, n->alternative);
    parent = n->parent;
  }
  b->written = b->tree.nodes.n;
  pv_put_number(out, b->again.n - b->next_again);
  for (uint32_t i = b->next_again; i < b->again.n; i++) {
    const struct again *a = &b->again.at[i];
    pv_put_number(out, a->state);
    pv_put_number(out, a->before);
    pv_put_number(out, a->todo);
    pv_put_number(out, a->sleep_set);
  }
}

static bool bfs_read(void *order, bool whole, struct pv_bytes *in) {
  struct bfs *b = order;
  (void)whole;
  uint64_t states = pv_space_states(&b->s->space);
  b->next = (uint32_t)pv_take_up_to(in, states);
  b->visited = (uint32_t)pv_take_up_to(in, states);
  b->s->waiting = pv_take_number(in);
  uint64_t parent = 0, n = pv_take_up_to(in, states);
  for (uint64_t i = b->tree.nodes.n; i < n && !in->wrong; i++) {
    parent = pv_take_difference(in, parent);
    if (parent >= i) in->wrong = true;
    struct pv_choice c = {.thread = (uint32_t)pv_take_up_to(in, PV_MAX_THREADS)};
    c.alternative = (uint32_t)pv_take_up_to(in, UINT16_MAX);
    if (!in->wrong) pv_tree_add(&b->tree, (uint32_t)parent, c);
  }
  b->again.n = b->next_again = 0;
  for (uint32_t k = pv_take_count(in); k && !in->wrong; k--) {
    struct again a = {.state = (uint32_t)pv_take_up_to(in, states)};
    a.before = (uint32_t)pv_take_up_to(in, UINT32_MAX);
    a.todo = pv_take_number(in);
    a.sleep_set = pv_take_number(in);
    pv_vec_push(&b->again, a);
  }
  b->written = b->tree.nodes.n;
  return !in->wrong && n == states;
}

static void bfs_begin(struct bfs *b) {
  bool is_new;
  pv_tree_begin(&b->tree);
  if (pv_search_continue(b->s, bfs_read)) return;
  pv_space_start(&b->s->space);
  pv_space_save(&b->s->space, &is_new);
}

void pv_search_bfs(struct pv_search *s) {
  struct bfs b = {.s = s};
  s->trace = bfs_trace;
  s->order = &b;
  s->open = bfs_open;
  s->write = bfs_write;
  bfs_begin(&b);
  bfs_again(&b, b.next);
  for (uint32_t state = b.next; state < b.tree.nodes.n && !s->stop; state++) {
    b.next = state;
    pv_search_checkpoint(s);
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
  pv_search_leave_open(s);
  pv_search_count(s);
  pv_tree_free(&b.tree, s);
  pv_vec_free(&b.again);
}
