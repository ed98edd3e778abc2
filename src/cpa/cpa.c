#include "cpa/cpa.h"

#include <stdlib.h>
#include <string.h>

struct pv_cpa {
  struct pv_control *control;
  const struct pv_analysis *part[PV_CPA_PARTS];
  uint32_t n_parts;
  struct pv_limits *limits;
  PV_VEC(struct pv_node) nodes;
  PV_VEC(uint32_t) heap; /* a binary heap, the next node first */
  struct pv_map index;   /* struct place_key -> bucket */
  PV_VEC(struct bucket { PV_VEC(uint32_t) nodes; }) buckets;
  bool splits; /* an analysis has `rest` */
  bool renews;
  uint32_t version;
  struct pv_cpa_stats stats;
  const struct pv_cpa_watch *watch; /* or NULL */
  uint64_t reached;
  struct pv_map reached_at; /* function and location -> reached states there */
  struct pv_point start;
  const struct pv_prefixes *prefixes; /* or NULL */
  bool begun;
  const struct pv_listeners *listeners; /* or NULL */
  void (*pause)(void *user);            /* or NULL */
  void *pause_user;
  void (*progress)(void *user); /* or NULL */
  void *progress_user;
  bool (*is_passing)(void *user, const struct pv_composite *s); /* or NULL */
  void *passing_user;
  struct passage {
    pv_moves way;    /* of the passage that ends, without the last move */
    pv_moves onward; /* the moves from where it ends; all, if `node` is not PV_NO_NODE */
    uint32_t node;   /* the node made there */
    PV_VEC(struct passing {
      struct pv_composite state;
      pv_moves way;
    })
    todo;
  } passage;
  struct pv_map foreseen_at; /* node -> number in `foreseen` */
  PV_VEC(pv_moves) foreseen; /* moves that the next expansion of a node need not compute */
  pv_moves passed;           /* the moves of all ways, one after another */
  PV_VEC(struct way {
    uint32_t first;
    uint32_t n;
  })
  ways;
};
/* The number of expansions after which progress is told again. */
enum { PROGRESS_STEP = 64 };

/* ---- the waitlist ------------------------------------------------------------------------------
 */

static bool before(const struct pv_cpa *c, uint32_t a, uint32_t b) {
  const struct pv_composite *x = &c->nodes.at[a].state, *y = &c->nodes.at[b].state;
  int order = 0;
  for (uint32_t i = 0; i < c->n_parts && !order; i++)
    if (c->part[i]->order)
      order = c->part[i]->order(c->part[i]->self, x->part[i], x->at, y->part[i], y->at);
  if (!order) order = pv_control_order(c->control, x->at, y->at);
  return order ? order < 0 : a < b;
}

static void wait_for(struct pv_cpa *c, uint32_t node) {
  struct pv_node *n = &c->nodes.at[node];
  if (n->waiting || n->removed) return;
  n->waiting = true;
  uint32_t i = c->heap.n;
  pv_vec_push(&c->heap, node);
  for (; i && before(c, node, c->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
    c->heap.at[i] = c->heap.at[(i - 1) / 2];
  c->heap.at[i] = node;
}

static uint32_t next_waiting(struct pv_cpa *c) {
  while (c->heap.n) {
    uint32_t node = c->heap.at[0], last = pv_vec_pop(&c->heap);
    uint32_t i = 0;
    for (uint32_t k; (k = 2 * i + 1) < c->heap.n; i = k) {
      if (k + 1 < c->heap.n && before(c, c->heap.at[k + 1], c->heap.at[k])) k++;
      if (!before(c, c->heap.at[k], last)) break;
      c->heap.at[i] = c->heap.at[k];
    }
    if (c->heap.n) c->heap.at[i] = last;
    struct pv_node *n = &c->nodes.at[node];
    n->waiting = false;
    if (!n->removed && n->covered_by == PV_NO_NODE) return node;
  }
  return PV_NO_NODE;
}

/* ---- nodes -------------------------------------------------------------------------------------
 */

struct place_key {
  struct pv_point at;
  uint64_t class[PV_CPA_PARTS];
};

static struct place_key place_of(struct pv_cpa *c, const struct pv_composite *s) {
  struct place_key key;
  memset(&key, 0, sizeof key);
  key.at = s->at;
  for (uint32_t i = 0; i < c->n_parts; i++)
    if (c->part[i]->class_of)
      key.class[i] = c->part[i]->class_of(c->part[i]->self, s->part[i], s->at);
  return key;
}

static struct bucket *bucket_of(struct pv_cpa *c, const struct pv_composite *s) {
  struct place_key key = place_of(c, s);
  bool is_new;
  uint32_t at = *pv_map_put(&c->index, &key, sizeof key, c->buckets.n, &is_new);
  if (is_new) pv_vec_push(&c->buckets, (struct bucket){0});
  return &c->buckets.at[at];
}

/* An array whose first allocation is small: most nodes have one parent and one or two children. */
#define PUSH_FEW(vec, few, x)                                                                      \
  do {                                                                                             \
    if (!(vec)->cap) {                                                                             \
      (vec)->at = pv_alloc((few) * sizeof *(vec)->at);                                             \
      (vec)->cap = (few);                                                                          \
    }                                                                                              \
    pv_vec_push(vec, x);                                                                           \
  } while (0)

/* Keeps the moves of the passage under way. */
static uint32_t keep_way(struct pv_cpa *c) {
  const pv_moves *way = &c->passage.way;
  if (!way->n) return 0;
  pv_vec_push(&c->ways, ((struct way){c->passed.n, way->n}));
  for (uint32_t i = 0; i < way->n; i++) pv_vec_push(&c->passed, way->at[i]);
  return c->ways.n;
}

static void connect(struct pv_cpa *c, uint32_t from, const struct pv_move *move, uint32_t to) {
  uint32_t way = keep_way(c);
  struct pv_arg_edge down = {to, way, *move}, up = {from, way, *move};
  for (uint32_t i = 0; i < c->nodes.at[to].parents.n; i++) {
    const struct pv_arg_edge *e = &c->nodes.at[to].parents.at[i];
    if (e->node == from && e->move.edge == move->edge && e->move.frame == move->frame &&
        e->move.alternative == move->alternative && e->move.other == move->other)
      return;
  }
  PUSH_FEW(&c->nodes.at[from].children, 2, down);
  PUSH_FEW(&c->nodes.at[to].parents, 1, up);
}

/* Counts reached states that no other one covers. */
static void count(struct pv_cpa *c, uint32_t node, int by) {
  if (!c->watch) return;
  struct pv_point at = c->nodes.at[node].state.at;
  const uint32_t key[2] = {pv_control_frame(c->control, at.frame)->function, at.loc};
  *pv_map_put(&c->reached_at, key, sizeof key, 0, NULL) += (uint32_t)by;
  c->reached += (uint64_t)by;
}

static uint32_t add_node(struct pv_cpa *c, const struct pv_composite *s, uint32_t prefix) {
  uint32_t node = c->nodes.n;
  struct pv_node n = {
      .state = *s, .covered_by = PV_NO_NODE, .prefix = prefix, .version = c->version};
  pv_vec_push(&c->nodes, n);
  struct bucket *b = bucket_of(c, s);
  PUSH_FEW(&b->nodes, 1, node);
  count(c, node, 1);
  return node;
}

static void free_node(struct pv_node *n) {
  pv_vec_free(&n->parents);
  pv_vec_free(&n->children);
  pv_vec_free(&n->covered);
}

/* ---- merge and stop
 * ------------------------------------------------------------------------------ */

static bool merge_into(struct pv_cpa *c, const struct pv_composite *fresh, uint32_t node,
                       struct pv_composite *out) {
  const struct pv_composite *reached = &c->nodes.at[node].state;
  *out = *reached;
  for (uint32_t i = 0; i < c->n_parts; i++) {
    const struct pv_analysis *a = c->part[i];
    if (fresh->part[i] == reached->part[i]) continue;
    out->part[i] = a->merge ? a->merge(a->self, fresh->part[i], reached->part[i], fresh->at) : NULL;
    if (!out->part[i]) return false;
  }
  return true;
}

/* At a prefix, not all moves of a node are explored. rest: NULL, or where the node covers a part of
 * the state, the rest of that. */
static bool covered(struct pv_cpa *c, const struct pv_composite *fresh, uint32_t node,
                    struct pv_composite *rest) {
  const struct pv_composite *reached = &c->nodes.at[node].state;
  bool is_split = false;
  if (c->nodes.at[node].prefix) return false;
  for (uint32_t i = 0; i < c->n_parts; i++) {
    const struct pv_analysis *a = c->part[i];
    const void *x = fresh->part[i], *y = reached->part[i];
    if (x == y || a->covers(a->self, x, y)) continue;
    if (!rest || !a->rest) return false;
    *rest = *fresh;
    if (!(rest->part[i] = a->rest(a->self, x, y))) return false;
    is_split = true;
  }
  return !rest || is_split;
}

static void remove_from(struct pv_cpa *c, uint32_t root, uint32_t stays);
static void remove_one(struct pv_cpa *c, uint32_t node);
static void drop_edge(struct pv_cpa *c, uint32_t from, uint32_t to);

/* Removes what was reached from the node with its old state. The node itself stays, even if it is
 * reachable from itself: otherwise the merged state would be lost, and would be merged again
 * endlessly. */
static void forget_children(struct pv_cpa *c, uint32_t node) {
  while (c->nodes.at[node].children.n) {
    uint32_t child = pv_vec_last(&c->nodes.at[node].children).node;
    uint32_t before_it = c->nodes.at[node].children.n;
    if (child == node)
      drop_edge(c, node, node);
    else
      remove_from(c, child, node);
    PV_REQUIRE(c->nodes.at[node].children.n < before_it, "a child that stays");
  }
  c->nodes.at[node].expanded = false;
}

/* Removes deleted nodes from the bucket. */
static void sweep(struct pv_cpa *c, struct bucket *b) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < b->nodes.n; i++)
    if (!c->nodes.at[b->nodes.at[i]].removed) b->nodes.at[kept++] = b->nodes.at[i];
  b->nodes.n = kept;
}

static void tell_state(const struct pv_cpa *c, uint32_t from, const struct pv_move *move,
                       uint32_t node, bool is_new) {
  if (!pv_listens(c->listeners, PROVISO_EVENT_STATE)) return;
  proviso_event e = {.kind = PROVISO_EVENT_STATE, .from = from, .state = node, .is_new = is_new};
  pv_control_tell_place(c->control, move->frame, move->edge, &e);
  pv_tell(c->listeners, &e);
}

static bool merge_with_reached(struct pv_cpa *c, uint32_t from, const struct pv_move *move,
                               const struct pv_composite *fresh) {
  struct bucket *b = bucket_of(c, fresh);
  sweep(c, b);
  for (uint32_t i = 0; i < b->nodes.n; i++) {
    uint32_t node = b->nodes.at[i];
    struct pv_composite merged;
    if (c->nodes.at[node].covered_by != PV_NO_NODE || c->nodes.at[node].prefix) continue;
    if (!merge_into(c, fresh, node, &merged)) continue;
    connect(c, from, move, node);
    tell_state(c, from, move, node, false);
    if (!memcmp(&merged, &c->nodes.at[node].state, sizeof merged)) return true;
    c->stats.merged++;
    c->nodes.at[node].state = merged;
    if (c->nodes.at[node].expanded) forget_children(c, node);
    wait_for(c, node);
    return true;
  }
  return false;
}

static uint32_t covering_in(struct pv_cpa *c, const struct place_key *key,
                            const struct pv_composite *fresh, uint32_t except,
                            struct pv_composite *rest) {
  const uint32_t *at = pv_map_get(&c->index, key, sizeof *key);
  if (!at) return PV_NO_NODE;
  struct bucket *b = &c->buckets.at[*at];
  sweep(c, b);
  for (uint32_t i = 0; i < b->nodes.n; i++) {
    uint32_t node = b->nodes.at[i];
    if (node != except && c->nodes.at[node].covered_by == PV_NO_NODE &&
        covered(c, fresh, node, rest))
      return node;
  }
  return PV_NO_NODE;
}

/* Finds a node that covers `fresh`, or a part of it (rest: not NULL), for any combination of the
 * classes that the parts name. */
static uint32_t find_covering(struct pv_cpa *c, const struct pv_composite *fresh, uint32_t except,
                              struct pv_composite *rest) {
  pv_classes classes[PV_CPA_PARTS] = {0};
  uint32_t at[PV_CPA_PARTS] = {0}, found = PV_NO_NODE, turned = 0;
  struct place_key key = place_of(c, fresh);
  for (uint32_t i = 0; i < c->n_parts; i++) {
    const struct pv_analysis *a = c->part[i];
    if (a->covering)
      a->covering(a->self, fresh->part[i], fresh->at, &classes[i]);
    else
      pv_vec_push(&classes[i], key.class[i]);
    if (!classes[i].n) turned = c->n_parts; /* no node covers it */
  }
  while (found == PV_NO_NODE && turned < c->n_parts) {
    for (uint32_t i = 0; i < c->n_parts; i++) key.class[i] = classes[i].at[at[i]];
    found = covering_in(c, &key, fresh, except, rest);
    for (turned = 0; turned < c->n_parts && ++at[turned] == classes[turned].n; turned++)
      at[turned] = 0;
  }
  for (uint32_t i = 0; i < c->n_parts; i++) pv_vec_free(&classes[i]);
  return found;
}

/* Does another node cover it, or a part of it? */
static bool cover(struct pv_cpa *c, uint32_t node, struct pv_composite *rest) {
  struct pv_composite state = c->nodes.at[node].state;
  uint32_t other = find_covering(c, &state, node, rest);
  if (other == PV_NO_NODE) return false;
  c->nodes.at[node].covered_by = other;
  pv_vec_push(&c->nodes.at[other].covered, node);
  count(c, node, -1);
  c->stats.covered++;
  return true;
}

static void reach(struct pv_cpa *c, uint32_t from, const struct pv_move *move,
                  const struct pv_composite *fresh, uint32_t prefix) {
  if (!prefix && merge_with_reached(c, from, move, fresh)) return;
  uint32_t node = add_node(c, fresh, prefix);
  connect(c, from, move, node);
  bool is_covered = cover(c, node, NULL);
  struct pv_composite rest;
  if (!is_covered && c->splits && !prefix && cover(c, node, &rest)) {
    c->stats.split++;
    reach(c, from, move, &rest, 0);
    return;
  }
  tell_state(c, from, move, is_covered ? c->nodes.at[node].covered_by : node, !is_covered);
  if (!is_covered) wait_for(c, node);
}

/* ---- expansion
 * ----------------------------------------------------------------------------------- */

/* The intersection of what the parts found. Returns false if it is empty. */
static bool conjunction(struct pv_cpa *c, uint32_t node, const struct pv_post *post,
                        struct pv_composite *out) {
  for (uint32_t i = 0; i < c->n_parts; i++) {
    out->part[i] = post[i].state;
    if (!out->part[i]) return false;
  }
  for (uint32_t i = 0; i < c->n_parts; i++) {
    const struct pv_analysis *a = c->part[i];
    if (a->strengthen && !(out->part[i] = a->strengthen(a->self, out->part[i], out))) return false;
  }
  for (uint32_t i = 0; i < c->n_parts; i++) {
    const struct pv_analysis *a = c->part[i];
    if (a->adjust && !(out->part[i] = a->adjust(a->self, out->part[i], out, node))) return false;
  }
  return true;
}

/* Computes a successor. Returns false if it is empty or left out. */
static bool successor(struct pv_cpa *c, uint32_t node, const struct pv_move *move,
                      const struct pv_post *post, struct pv_composite *out) {
  const struct pv_cpa_watch *w = c->watch;
  memset(out, 0, sizeof *out);
  out->at = move->to;
  if (w) w->enter(w->self);
  bool any = conjunction(c, node, post, out);
  if (w) w->leave(w->self);
  return any && (!w || w->accepts(w->self, node, move, out));
}

static void transfer(struct pv_cpa *c, const struct pv_composite *state, const struct pv_move *move,
                     struct pv_post *post) {
  const struct pv_cpa_watch *w = c->watch;
  if (w) w->enter(w->self);
  for (uint32_t i = 0; i < c->n_parts; i++) {
    const struct pv_analysis *a = c->part[i];
    a->transfer(a->self, state->part[i], move, &post[i]);
  }
  if (w) w->leave(w->self);
}

static bool is_excluded(struct pv_cpa *c, const struct pv_composite *state,
                        const struct pv_move *move) {
  for (uint32_t i = 0; i < c->n_parts; i++) {
    const struct pv_analysis *a = c->part[i];
    struct pv_post post = {0};
    if (!a->excludes) continue;
    a->transfer(a->self, state->part[i], move, &post);
    if (!post.state) return true;
  }
  return false;
}

static void forget_foreseen(struct pv_cpa *c) {
  for (uint32_t i = 0; i < c->foreseen.n; i++) pv_vec_free(&c->foreseen.at[i]);
  c->foreseen.n = 0;
  pv_map_free(&c->foreseen_at);
  c->foreseen_at = (struct pv_map){0};
}

/* Keeps the moves from the end of a passage for the node that is made there. */
static void foresee(struct pv_cpa *c) {
  if (c->passage.node >= c->nodes.n) return; /* the state was there already */
  uint32_t node = c->passage.node;
  *pv_map_put(&c->foreseen_at, &node, sizeof node, 0, NULL) = c->foreseen.n;
  pv_vec_push(&c->foreseen, c->passage.onward);
  c->passage.onward = (pv_moves){0};
}

/* Takes the foreseen moves of a node, which are used once. */
static bool take_foreseen(struct pv_cpa *c, uint32_t node, pv_moves *moves) {
  const uint32_t *at = pv_map_get(&c->foreseen_at, &node, sizeof node);
  if (!at || !c->foreseen.at[*at].n) return false;
  pv_moves *kept = &c->foreseen.at[*at];
  for (uint32_t i = 0; i < kept->n; i++) pv_vec_push(moves, kept->at[i]);
  pv_vec_free(kept);
  *kept = (pv_moves){0};
  return true;
}

/* Is the move one without an event that leads to another state, or to none? *any: to a state. */
static bool is_quiet(struct pv_cpa *c, uint32_t node, const struct pv_composite *state,
                     const struct pv_move *move, struct pv_composite *out, bool *any) {
  struct pv_post post[PV_CPA_PARTS] = {0};
  *any = false;
  if (is_excluded(c, state, move)) return true;
  transfer(c, state, move, post);
  for (uint32_t i = 0; i < c->n_parts; i++)
    if (post[i].n_events) return false;
  if (move->kind == PV_MOVE_END || move->kind == PV_MOVE_CUT || move->kind == PV_MOVE_NOWHERE)
    return false;
  *any = successor(c, node, move, post, out);
  return true;
}

/* Makes a node of a state at the end of a passage from the node. */
static void end_passage(struct pv_cpa *c, uint32_t node, struct passing *p, bool foreseen) {
  struct pv_move last = pv_vec_pop(&p->way);
  pv_vec_free(&c->passage.way);
  c->passage.way = p->way;
  c->passage.node = foreseen ? c->nodes.n : PV_NO_NODE;
  c->stats.passed += p->way.n;
  reach(c, node, &last, &p->state, 0);
  foresee(c);
  c->passage.way.n = 0;
}

/* Goes on from a state that may be passed by. Returns false, with all moves from it in `onward`, if
 * one of them may have an event. */
static bool pass_by(struct pv_cpa *c, uint32_t node, const struct passing *from) {
  pv_moves *onward = &c->passage.onward;
  uint32_t first = c->passage.todo.n;
  bool quiet = true;
  onward->n = 0;
  pv_control_moves_in(c->control, &from->state, from->state.at, onward);
  for (uint32_t m = 0; m < onward->n && quiet; m++) {
    struct passing next = {0};
    bool any;
    quiet = is_quiet(c, node, &from->state, &onward->at[m], &next.state, &any);
    if (!quiet || !any) continue;
    for (uint32_t i = 0; i < from->way.n; i++) pv_vec_push(&next.way, from->way.at[i]);
    pv_vec_push(&next.way, onward->at[m]);
    pv_vec_push(&c->passage.todo, next);
  }
  while (!quiet && c->passage.todo.n > first) {
    struct passing last = pv_vec_pop(&c->passage.todo);
    pv_vec_free(&last.way);
  }
  return quiet;
}

/* Reaches the ends of all passages that begin with the move, which leads to that state. */
static void reach_ends(struct pv_cpa *c, uint32_t node, const struct pv_move *move,
                       const struct pv_composite *state) {
  enum { MOST = 4096 };
  struct passing p = {.state = *state};
  pv_vec_push(&p.way, *move);
  pv_vec_push(&c->passage.todo, p);
  for (uint32_t n = 0; c->passage.todo.n; n++) {
    p = pv_vec_pop(&c->passage.todo);
    bool passes = n < MOST && c->is_passing(c->passing_user, &p.state);
    if (passes && pass_by(c, node, &p))
      pv_vec_free(&p.way);
    else
      end_passage(c, node, &p, passes);
  }
}

struct handler {
  pv_cpa_on_event on_event;
  void *user;
};

/* Explores one move of a node; `prefix` is that of the successor. Returns false if the handler
 * stopped the analysis. *any: there was a successor. */
static bool explore(struct pv_cpa *c, uint32_t node, const struct pv_move *move, uint32_t prefix,
                    const struct handler *h, bool *any) {
  struct pv_post post[PV_CPA_PARTS] = {0};
  struct pv_composite next, state = c->nodes.at[node].state;
  if (is_excluded(c, &state, move)) return true;
  if (c->watch && !c->watch->admits(c->watch->self, node, move)) return true;
  transfer(c, &state, move, post);
  for (uint32_t i = 0; i < c->n_parts; i++)
    for (uint32_t k = 0; k < post[i].n_events; k++)
      if (!h->on_event(h->user, node, move, &post[i].events[k])) return false;
  if (move->kind == PV_MOVE_END || move->kind == PV_MOVE_CUT || move->kind == PV_MOVE_NOWHERE)
    return true;
  if (!successor(c, node, move, post, &next)) return true;
  *any = true;
  if (c->is_passing && !prefix)
    reach_ends(c, node, move, &next);
  else
    reach(c, node, move, &next, prefix);
  return true;
}

/* Does the move do what the node of the prefixes tells? */
static bool is_told(struct pv_cpa *c, struct pv_point from, const struct pv_move *m,
                    const struct pv_taken_edge *e) {
  uint32_t before, after = PV_NO_FRAME;
  pv_loc loc = 0, next = 0;
  bool right =
      m->edge == e->edge && pv_control_frame(c->control, m->frame)->function == e->function;
  right = right && pv_control_stand(c->control, from, e->thread, &before, &loc);
  if (!right || !e->stays) return right;
  return pv_control_stand(c->control, m->to, e->thread, &after, &next) && after == before &&
         next == loc;
}

/* Follows the prefixes from a node. What cannot be followed is open. */
static bool follow_prefixes(struct pv_cpa *c, uint32_t node, pv_moves *moves,
                            const struct handler *h, bool *is_lost) {
  struct pv_point at = c->nodes.at[node].state.at;
  for (uint32_t k = c->prefixes->nodes.at[c->nodes.at[node].prefix - 1].child; k;
       k = c->prefixes->nodes.at[k].next) {
    const struct pv_taken_edge *e = &c->prefixes->nodes.at[k];
    bool any = false;
    if (!e->leads) continue;
    moves->n = 0;
    pv_control_moves_of(c->control, at, e->thread, moves);
    for (uint32_t m = 0; m < moves->n; m++)
      if (is_told(c, at, &moves->at[m], e) && !explore(c, node, &moves->at[m], k + 1, h, &any))
        return false;
    *is_lost |= !any;
  }
  return true;
}

/* Expands a node behind the prefixes, or what is open at one. */
static bool explore_moves(struct pv_cpa *c, uint32_t node, uint64_t asleep, pv_moves *moves,
                          const struct handler *h) {
  struct pv_composite state = c->nodes.at[node].state;
  bool any = false;
  moves->n = 0;
  if (asleep)
    pv_control_moves_awake(c->control, state.at, asleep, moves);
  else if (!take_foreseen(c, node, moves))
    pv_control_moves_in(c->control, &state, state.at, moves);
  for (uint32_t m = 0; m < moves->n; m++) {
    if (!explore(c, node, &moves->at[m], 0, h, &any)) return false;
    if (c->nodes.at[node].removed) return true; /* the source was merged just now */
  }
  return true;
}

/* Expands a node. Returns false if the handler stopped the analysis. */
static bool expand(struct pv_cpa *c, uint32_t node, pv_moves *moves, const struct handler *h) {
  uint32_t prefix = c->nodes.at[node].prefix;
  const struct pv_taken_edge *told = prefix ? &c->prefixes->nodes.at[prefix - 1] : NULL;
  bool is_lost = false;
  if ((!told || told->is_open) && !explore_moves(c, node, told ? told->asleep : 0, moves, h))
    return false;
  if (told && !follow_prefixes(c, node, moves, h, &is_lost)) return false;
  if (is_lost && !(told->is_open && !told->asleep) && !explore_moves(c, node, 0, moves, h))
    return false;
  if (c->nodes.at[node].removed) return true;
  c->nodes.at[node].expanded = true;
  c->stats.expanded++;
  return true;
}

/* What it covered waits again. */
static void uncover(struct pv_cpa *c, struct pv_node *n) {
  for (uint32_t i = 0; i < n->covered.n; i++) {
    c->nodes.at[n->covered.at[i]].covered_by = PV_NO_NODE;
    count(c, n->covered.at[i], 1);
    wait_for(c, n->covered.at[i]);
  }
  n->covered.n = 0;
}

/* The state of the node, computed anew from that of its parent. Returns false if it is empty. */
static bool recompute(struct pv_cpa *c, uint32_t node, struct pv_composite *out) {
  const struct pv_arg_edge *up = &c->nodes.at[node].parents.at[0];
  pv_moves moves = {0};
  bool any = true;
  pv_cpa_moves(c, up, &moves);
  *out = c->nodes.at[up->node].state;
  for (uint32_t i = 0; any && i < moves.n; i++) {
    struct pv_composite next;
    struct pv_post post[PV_CPA_PARTS] = {0};
    transfer(c, out, &moves.at[i], post);
    any = successor(c, up->node, &moves.at[i], post, &next);
    *out = next;
  }
  pv_vec_free(&moves);
  return any;
}

/* Returns false if the node need not be expanded any more. */
static bool renew(struct pv_cpa *c, uint32_t node) {
  struct pv_node *n = &c->nodes.at[node];
  struct pv_composite state;
  if (n->version == c->version || n->expanded || n->children.n || n->parents.n != 1) return true;
  n->version = c->version;
  if (!recompute(c, node, &state)) {
    drop_edge(c, n->parents.at[0].node, node);
    remove_one(c, node);
    return false;
  }
  if (!memcmp(&state, &n->state, sizeof state)) return true;
  pv_moves unused = {0};
  take_foreseen(c, node, &unused);
  pv_vec_free(&unused);
  uncover(c, n);
  n->state = state;
  struct bucket *b = bucket_of(c, &state); /* it stays in the old one as well */
  pv_vec_push(&b->nodes, node);
  c->stats.renewed++;
  return !cover(c, node, NULL);
}

static void begin(struct pv_cpa *c) {
  struct pv_composite s;
  memset(&s, 0, sizeof s);
  s.at = c->start;
  for (uint32_t i = 0; i < c->n_parts; i++) s.part[i] = c->part[i]->initial(c->part[i]->self);
  wait_for(c, add_node(c, &s, c->prefixes ? 1 : 0));
  c->begun = true;
}

enum pv_cpa_end pv_cpa_run(struct pv_cpa *c, pv_cpa_on_event on_event, void *user) {
  enum pv_cpa_end end = PV_CPA_FIXPOINT;
  const struct handler h = {on_event, user};
  pv_moves moves = {0};
  if (!c->begun) begin(c);
  for (uint32_t node; (node = next_waiting(c)) != PV_NO_NODE;) {
    if (pv_limits_check(c->limits, c->stats.expanded) != PV_LIMIT_NONE) {
      wait_for(c, node);
      end = PV_CPA_LIMIT;
      break;
    }
    /* States behind prefixes that were reached since may cover those at one. */
    const struct pv_node *n = &c->nodes.at[node];
    if (n->prefix && !n->children.n && cover(c, node, NULL)) continue;
    if (c->renews && !renew(c, node)) continue;
    if (c->pause) c->pause(c->pause_user);
    if (c->progress && c->stats.expanded % PROGRESS_STEP == 0) c->progress(c->progress_user);
    if (expand(c, node, &moves, &h)) continue;
    wait_for(c, node);
    end = PV_CPA_EVENT;
    break;
  }
  pv_vec_free(&moves);
  return end;
}

/* ---- removal
 * --------------------------------------------------------------------------------------- */

static void drop_edge(struct pv_cpa *c, uint32_t from, uint32_t to) {
  struct pv_node *n = &c->nodes.at[from], *m = &c->nodes.at[to];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n->children.n; i++)
    if (n->children.at[i].node != to) n->children.at[kept++] = n->children.at[i];
  n->children.n = kept;
  kept = 0;
  for (uint32_t i = 0; i < m->parents.n; i++)
    if (m->parents.at[i].node != from) m->parents.at[kept++] = m->parents.at[i];
  m->parents.n = kept;
}

static void remove_one(struct pv_cpa *c, uint32_t node) {
  struct pv_node *n = &c->nodes.at[node];
  n->removed = true;
  c->stats.removed++;
  if (n->covered_by == PV_NO_NODE) count(c, node, -1);
  /* Parents that stay must be expanded again. */
  while (n->parents.n) {
    uint32_t parent = pv_vec_last(&n->parents).node;
    drop_edge(c, parent, node);
    wait_for(c, parent);
  }
  uncover(c, n);
  if (n->covered_by != PV_NO_NODE) {
    struct pv_node *by = &c->nodes.at[n->covered_by];
    for (uint32_t i = 0; i < by->covered.n; i++)
      if (by->covered.at[i] == node) by->covered.at[i--] = pv_vec_pop(&by->covered);
  }
  free_node(n);
}

/* Removes everything that is reachable from `root`. `stays`: a node that is kept, or PV_NO_NODE. */
static void remove_from(struct pv_cpa *c, uint32_t root, uint32_t stays) {
  PV_VEC(uint32_t) stack = {0};
  pv_vec_push(&stack, root);
  while (stack.n) {
    uint32_t node = pv_vec_pop(&stack);
    if (c->nodes.at[node].removed) continue;
    while (c->nodes.at[node].children.n) {
      uint32_t child = pv_vec_last(&c->nodes.at[node].children).node;
      drop_edge(c, node, child);
      if (child != stays) pv_vec_push(&stack, child);
    }
    remove_one(c, node);
  }
  pv_vec_free(&stack);
}

void pv_cpa_remove(struct pv_cpa *c, uint32_t root) {
  c->version++;
  remove_from(c, root, PV_NO_NODE);
}

/* Does an edge from the node pass by that edge of the program? */
static bool passes_by(const struct pv_cpa *c, const struct pv_node *n, uint32_t function,
                      uint32_t edge) {
  for (uint32_t i = 0; i < n->children.n; i++) {
    uint32_t way = n->children.at[i].way;
    for (uint32_t k = 0; way && k < c->ways.at[way - 1].n; k++) {
      const struct pv_move *m = &c->passed.at[c->ways.at[way - 1].first + k];
      if (m->edge == edge && pv_control_frame(c->control, m->frame)->function == function)
        return true;
    }
    const struct pv_move *m = &n->children.at[i].move;
    if (way && m->edge == edge && pv_control_frame(c->control, m->frame)->function == function)
      return true;
  }
  return false;
}

void pv_cpa_reconsider(struct pv_cpa *c, uint32_t function, uint32_t edge) {
  forget_foreseen(c);
  for (uint32_t node = 0; node < c->nodes.n; node++) {
    struct pv_point at = c->nodes.at[node].state.at;
    if (c->nodes.at[node].removed || c->nodes.at[node].covered_by != PV_NO_NODE) continue;
    if (!pv_control_stands_at(c->control, at, function, edge) &&
        !passes_by(c, &c->nodes.at[node], function, edge))
      continue;
    /* The node itself is removed as well, not only its children: if these lead back to its
     * ancestors, it would be left without parents. */
    if (c->nodes.at[node].parents.n) {
      pv_cpa_remove(c, node);
    } else {
      forget_children(c, node);
      wait_for(c, node);
    }
  }
}

void pv_cpa_restart(struct pv_cpa *c) {
  for (uint32_t i = 0; i < c->nodes.n; i++) free_node(&c->nodes.at[i]);
  for (uint32_t i = 0; i < c->buckets.n; i++) pv_vec_free(&c->buckets.at[i].nodes);
  c->nodes.n = c->buckets.n = c->heap.n = c->ways.n = c->passed.n = 0;
  forget_foreseen(c);
  c->reached = 0;
  pv_map_free(&c->reached_at);
  c->reached_at = (struct pv_map){0};
  if (c->watch) c->watch->restarted(c->watch->self);
  pv_map_free(&c->index);
  c->index = (struct pv_map){0};
  c->begun = false;
  c->start = pv_control_start(c->control);
}

void pv_cpa_restart_at(struct pv_cpa *c, struct pv_point at) {
  pv_cpa_restart(c);
  c->start = at;
}

/* ---- the whole
 * --------------------------------------------------------------------------------------- */

bool pv_same_covers(void *self, const void *fresh, const void *reached) {
  (void)self;
  return fresh == reached;
}

uint64_t pv_same_class(void *self, const void *state, struct pv_point at) {
  (void)self;
  (void)at;
  return (uint64_t)(uintptr_t)state;
}

struct pv_cpa *pv_cpa_new(struct pv_control *control, const struct pv_analysis *const *parts,
                          uint32_t n, struct pv_limits *limits) {
  PV_REQUIRE(n <= PV_CPA_PARTS, "too many analyses");
  struct pv_cpa *c = pv_alloc(sizeof *c);
  c->control = control;
  c->limits = limits;
  c->n_parts = n;
  c->start = pv_control_start(control);
  for (uint32_t i = 0; i < n; i++) c->part[i] = parts[i];
  for (uint32_t i = 0; i < n; i++) c->splits |= parts[i]->rest != NULL;
  return c;
}

void pv_cpa_set_watch(struct pv_cpa *c, const struct pv_cpa_watch *watch) {
  c->watch = watch;
}
void pv_cpa_set_listeners(struct pv_cpa *c, const struct pv_listeners *listeners) {
  c->listeners = listeners;
}
void pv_cpa_set_prefixes(struct pv_cpa *c, const struct pv_prefixes *prefixes) {
  c->prefixes = prefixes;
}
bool pv_cpa_has_prefixes(const struct pv_cpa *c) {
  return c->prefixes;
}
void pv_cpa_set_pause(struct pv_cpa *c, void (*pause)(void *user), void *user) {
  c->pause = pause;
  c->pause_user = user;
}
void pv_cpa_set_progress(struct pv_cpa *c, void (*progress)(void *user), void *user) {
  c->progress = progress;
  c->progress_user = user;
}
uint32_t pv_cpa_waiting(const struct pv_cpa *c) {
  return c->heap.n;
}
void pv_cpa_renew(struct pv_cpa *c) {
  c->renews = true;
}
void pv_cpa_pass_by(struct pv_cpa *c, bool (*is_passing)(void *user, const struct pv_composite *s),
                    void *user) {
  c->is_passing = is_passing;
  c->passing_user = user;
}
void pv_cpa_moves(const struct pv_cpa *c, const struct pv_arg_edge *e, pv_moves *out) {
  struct way way = e->way ? c->ways.at[e->way - 1] : (struct way){0};
  for (uint32_t i = 0; i < way.n; i++) pv_vec_push(out, c->passed.at[way.first + i]);
  pv_vec_push(out, e->move);
}
uint64_t pv_cpa_reached(const struct pv_cpa *c) {
  return c->reached;
}
uint64_t pv_cpa_reached_at(const struct pv_cpa *c, uint32_t function, pv_loc loc) {
  const uint32_t key[2] = {function, loc};
  const uint32_t *n = pv_map_get(&c->reached_at, key, sizeof key);
  return n ? *n : 0;
}

void pv_cpa_free(struct pv_cpa *c) {
  if (!c) return;
  c->watch = NULL;
  pv_cpa_restart(c);
  pv_vec_free(&c->nodes);
  pv_vec_free(&c->buckets);
  pv_vec_free(&c->heap);
  pv_vec_free(&c->passage.way);
  pv_vec_free(&c->passage.onward);
  pv_vec_free(&c->passage.todo);
  pv_vec_free(&c->foreseen);
  pv_vec_free(&c->passed);
  pv_vec_free(&c->ways);
  free(c);
}

uint32_t pv_cpa_nodes(const struct pv_cpa *c) {
  return c->nodes.n;
}
const struct pv_node *pv_cpa_node(const struct pv_cpa *c, uint32_t node) {
  return &c->nodes.at[node];
}
const struct pv_cpa_stats *pv_cpa_stats(const struct pv_cpa *c) {
  return &c->stats;
}
