#include "cpa/cpa_internal.h"

#include <stdlib.h>
#include <string.h>

/* The number of expansions after which progress is told again. */
enum { PROGRESS_STEP = 64 };

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

/* Keeps the moves from the end of a path for the node that is made there. */
static void keep_precomputed(struct pv_cpa *c) {
  if (c->path.node >= c->nodes.n) return; /* the state was there already */
  uint32_t node = c->path.node;
  *pv_map_put(&c->precomputed_at, &node, sizeof node, 0, NULL) = c->precomputed.n;
  pv_vec_push(&c->precomputed, c->path.onward);
  c->path.onward = (pv_moves){0};
}

/* Takes the precomputed moves of a node, which are used once. */
static bool take_precomputed(struct pv_cpa *c, uint32_t node, pv_moves *moves) {
  const uint32_t *at = pv_map_get(&c->precomputed_at, &node, sizeof node);
  if (!at || !c->precomputed.at[*at].n) return false;
  pv_moves *kept = &c->precomputed.at[*at];
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

/* Makes a node of a state at the end of a path from the node. */
static void end_path(struct pv_cpa *c, uint32_t node, struct unfinished_path *p, bool precomputed) {
  struct pv_move last = pv_vec_pop(&p->moves);
  pv_vec_free(&c->path.moves);
  c->path.moves = p->moves;
  c->path.node = precomputed ? c->nodes.n : PV_NO_NODE;
  c->stats.passed += p->moves.n;
  pv_arg_reach(c, node, &last, &p->state, 0);
  keep_precomputed(c);
  c->path.moves.n = 0;
}

/* Goes on from a state that may be passed by. Returns false, with all moves from it in `onward`, if
 * one of them may have an event. */
static bool pass_by(struct pv_cpa *c, uint32_t node, const struct unfinished_path *from) {
  pv_moves *onward = &c->path.onward;
  uint32_t first = c->path.todo.n;
  bool quiet = true;
  onward->n = 0;
  pv_control_moves_in(c->control, &from->state, from->state.at, onward);
  for (uint32_t m = 0; m < onward->n && quiet; m++) {
    struct unfinished_path next = {0};
    bool any;
    quiet = is_quiet(c, node, &from->state, &onward->at[m], &next.state, &any);
    if (!quiet || !any) continue;
    for (uint32_t i = 0; i < from->moves.n; i++) pv_vec_push(&next.moves, from->moves.at[i]);
    pv_vec_push(&next.moves, onward->at[m]);
    pv_vec_push(&c->path.todo, next);
  }
  while (!quiet && c->path.todo.n > first) {
    struct unfinished_path last = pv_vec_pop(&c->path.todo);
    pv_vec_free(&last.moves);
  }
  return quiet;
}

/* Reaches the ends of all paths that begin with the move, which leads to that state. */
static void reach_ends(struct pv_cpa *c, uint32_t node, const struct pv_move *move,
                       const struct pv_composite *state) {
  enum { MOST = 4096 };
  struct unfinished_path p = {.state = *state};
  pv_vec_push(&p.moves, *move);
  pv_vec_push(&c->path.todo, p);
  for (uint32_t n = 0; c->path.todo.n; n++) {
    p = pv_vec_pop(&c->path.todo);
    bool passes = n < MOST && c->is_passing(c->passing_user, &p.state);
    if (passes && pass_by(c, node, &p))
      pv_vec_free(&p.moves);
    else
      end_path(c, node, &p, passes);
  }
}

struct handler {
  pv_cpa_on_event on_event;
  void *user;
};

/* Explores one move of a node; `prefix` is that of the successor. Returns false if the handler
 * stopped the analysis. *any: there was a successor. */
static bool explore(struct pv_cpa *c, uint32_t node, const struct pv_move *unmarked,
                    uint32_t prefix, const struct handler *h, bool *any) {
  struct pv_post post[PV_CPA_PARTS] = {0};
  struct pv_composite next, state = c->nodes.at[node].state;
  struct pv_move marked = *unmarked, *move = &marked;
  for (uint32_t i = 0; i < c->n_parts; i++)
    if (c->part[i]->mark) c->part[i]->mark(c->part[i]->self, state.part[i], move);
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
    pv_arg_reach(c, node, move, &next, prefix);
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
  else if (!take_precomputed(c, node, moves))
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
  bool is_lost = false, follows = told && !told->is_open;
  if (!follows && !explore_moves(c, node, told ? told->asleep : 0, moves, h)) return false;
  if (told && !follow_prefixes(c, node, moves, h, &is_lost)) return false;
  if (is_lost && !(told->is_open && !told->asleep) && !explore_moves(c, node, 0, moves, h))
    return false;
  if (c->nodes.at[node].removed) return true;
  c->nodes.at[node].expanded = true;
  c->nodes.at[node].follows_prefixes = follows && !is_lost;
  c->stats.expanded++;
  return true;
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
    pv_arg_drop_edge(c, n->parents.at[0].node, node);
    pv_arg_remove_one(c, node);
    return false;
  }
  if (!memcmp(&state, &n->state, sizeof state)) return true;
  pv_moves unused = {0};
  take_precomputed(c, node, &unused);
  pv_vec_free(&unused);
  pv_arg_uncover(c, n);
  n->state = state;
  struct bucket *b = pv_arg_bucket(c, &state); /* it stays in the old one as well */
  pv_vec_push(&b->nodes, node);
  c->stats.renewed++;
  return !pv_arg_cover(c, node, NULL);
}

static void begin(struct pv_cpa *c) {
  struct pv_composite s;
  memset(&s, 0, sizeof s);
  s.at = c->start;
  for (uint32_t i = 0; i < c->n_parts; i++) s.part[i] = c->part[i]->initial(c->part[i]->self);
  pv_arg_wait(c, pv_arg_add(c, &s, c->prefixes ? 1 : 0));
  c->begun = true;
}

enum pv_cpa_end pv_cpa_run(struct pv_cpa *c, pv_cpa_on_event on_event, void *user) {
  enum pv_cpa_end end = PV_CPA_FIXPOINT;
  const struct handler h = {on_event, user};
  pv_moves moves = {0};
  if (!c->begun) begin(c);
  for (uint32_t node; (node = pv_arg_next(c)) != PV_NO_NODE;) {
    if (pv_limits_check(c->limits, c->stats.expanded) != PV_LIMIT_NONE) {
      pv_arg_wait(c, node);
      end = PV_CPA_LIMIT;
      break;
    }
    /* States behind prefixes that were reached since may cover those at one. */
    const struct pv_node *n = &c->nodes.at[node];
    if (n->prefix && !n->children.n && pv_arg_cover(c, node, NULL)) continue;
    bool leaves = n->origin < c->origin;
    c->origin = n->origin;
    if (leaves) {
      pv_arg_wait(c, node);
      end = PV_CPA_PREFIX;
      break;
    }
    if (c->renews && !renew(c, node)) continue;
    if (c->pause) { /* the node waits, also if it was expanded before */
      c->nodes.at[node].waiting = true;
      c->pause(c->pause_user);
      c->nodes.at[node].waiting = false;
    }
    if (c->progress && c->stats.expanded % PROGRESS_STEP == 0) c->progress(c->progress_user);
    if (expand(c, node, &moves, &h)) continue;
    pv_arg_wait(c, node);
    end = PV_CPA_EVENT;
    break;
  }
  pv_vec_free(&moves);
  return end;
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
const struct pv_prefixes *pv_cpa_prefixes(const struct pv_cpa *c) {
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
  struct path_moves kept = e->path ? c->paths.at[e->path - 1] : (struct path_moves){0};
  for (uint32_t i = 0; i < kept.n; i++) pv_vec_push(out, c->passed.at[kept.first + i]);
  pv_vec_push(out, e->move);
}
const struct pv_move *pv_cpa_passed(const struct pv_cpa *c, uint32_t path, uint32_t *n) {
  struct path_moves kept = path ? c->paths.at[path - 1] : (struct path_moves){0};
  *n = kept.n;
  return kept.n ? &c->passed.at[kept.first] : NULL;
}
uint64_t pv_cpa_left_out(const struct pv_cpa *c, uint32_t node, bool *twin) {
  uint64_t threads = 0;
  *twin = false;
  for (uint32_t i = 0; i < c->n_parts; i++) {
    const struct pv_analysis *a = c->part[i];
    bool is_rest = false;
    if (a->left_out) threads |= a->left_out(a->self, c->nodes.at[node].state.part[i], &is_rest);
    *twin |= is_rest;
  }
  return threads;
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
  pv_vec_free(&c->path.moves);
  pv_vec_free(&c->path.onward);
  pv_vec_free(&c->path.todo);
  pv_vec_free(&c->precomputed);
  pv_vec_free(&c->passed);
  pv_vec_free(&c->paths);
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
