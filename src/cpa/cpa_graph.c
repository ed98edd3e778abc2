/* cpa_graph.c -- the abstract reachability graph: its nodes and the waitlist, merge and stop, and
 * the removal of what a refinement makes obsolete. */
#include "cpa/cpa_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the waitlist ------------------------------------------------------------------------------
 */

static bool before(const struct pv_cpa *c, uint32_t a, uint32_t b) {
  const struct pv_composite *x = &c->nodes.at[a].state, *y = &c->nodes.at[b].state;
  int order = 0;
  if (c->nodes.at[a].origin != c->nodes.at[b].origin)
    return c->nodes.at[a].origin > c->nodes.at[b].origin;
  for (uint32_t i = 0; i < c->n_parts && !order; i++)
    if (c->part[i]->order)
      order = c->part[i]->order(c->part[i]->self, x->part[i], x->at, y->part[i], y->at);
  if (!order) order = pv_control_order(c->control, x->at, y->at);
  return order ? order < 0 : a < b;
}

void pv_arg_wait(struct pv_cpa *c, uint32_t node) {
  struct pv_node *n = &c->nodes.at[node];
  if (n->waiting || n->removed) return;
  n->waiting = true;
  uint32_t i = c->heap.n;
  pv_vec_push(&c->heap, node);
  for (; i && before(c, node, c->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
    c->heap.at[i] = c->heap.at[(i - 1) / 2];
  c->heap.at[i] = node;
}

uint32_t pv_arg_next(struct pv_cpa *c) {
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

struct bucket *pv_arg_bucket(struct pv_cpa *c, const struct pv_composite *s) {
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

/* Keeps the moves of the path under way. */
static uint32_t keep_moves(struct pv_cpa *c) {
  const pv_moves *moves = &c->path.moves;
  if (!moves->n) return 0;
  pv_vec_push(&c->paths, ((struct path_moves){c->passed.n, moves->n}));
  for (uint32_t i = 0; i < moves->n; i++) pv_vec_push(&c->passed, moves->at[i]);
  return c->paths.n;
}

static void connect(struct pv_cpa *c, uint32_t from, const struct pv_move *move, uint32_t to) {
  uint32_t path = keep_moves(c);
  struct pv_arg_edge down = {to, path, *move}, up = {from, path, *move};
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
void pv_arg_count(struct pv_cpa *c, uint32_t node, int by) {
  if (!c->watch) return;
  struct pv_point at = c->nodes.at[node].state.at;
  const uint32_t key[2] = {pv_control_frame(c->control, at.frame)->function, at.loc};
  *pv_map_put(&c->reached_at, key, sizeof key, 0, NULL) += (uint32_t)by;
  c->reached += (uint64_t)by;
}

uint32_t pv_arg_add(struct pv_cpa *c, const struct pv_composite *s, uint32_t prefix) {
  uint32_t node = c->nodes.n;
  struct pv_node n = {
      .state = *s, .covered_by = PV_NO_NODE, .prefix = prefix, .version = c->version};
  pv_vec_push(&c->nodes, n);
  struct bucket *b = pv_arg_bucket(c, s);
  PUSH_FEW(&b->nodes, 1, node);
  pv_arg_count(c, node, 1);
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

/* Removes what was reached from the node with its old state. The node itself stays, even if it is
 * reachable from itself: otherwise the merged state would be lost, and would be merged again
 * endlessly. */
static void forget_children(struct pv_cpa *c, uint32_t node) {
  while (c->nodes.at[node].children.n) {
    uint32_t child = pv_vec_last(&c->nodes.at[node].children).node;
    uint32_t before_it = c->nodes.at[node].children.n;
    if (child == node)
      pv_arg_drop_edge(c, node, node);
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
  struct bucket *b = pv_arg_bucket(c, fresh);
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
    pv_arg_wait(c, node);
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
bool pv_arg_cover(struct pv_cpa *c, uint32_t node, struct pv_composite *rest) {
  struct pv_composite state = c->nodes.at[node].state;
  uint32_t other = find_covering(c, &state, node, rest);
  if (other == PV_NO_NODE) return false;
  c->nodes.at[node].covered_by = other;
  pv_vec_push(&c->nodes.at[other].covered, node);
  pv_arg_count(c, node, -1);
  c->stats.covered++;
  return true;
}

void pv_arg_reach(struct pv_cpa *c, uint32_t from, const struct pv_move *move,
                  const struct pv_composite *fresh, uint32_t prefix) {
  if (!prefix && merge_with_reached(c, from, move, fresh)) return;
  uint32_t node = pv_arg_add(c, fresh, prefix);
  c->nodes.at[node].origin = prefix ? prefix - 1 : c->nodes.at[from].origin;
  connect(c, from, move, node);
  bool is_covered = pv_arg_cover(c, node, NULL);
  struct pv_composite rest;
  if (!is_covered && c->splits && !prefix && pv_arg_cover(c, node, &rest)) {
    c->stats.split++;
    pv_arg_reach(c, from, move, &rest, 0);
    return;
  }
  tell_state(c, from, move, is_covered ? c->nodes.at[node].covered_by : node, !is_covered);
  if (!is_covered) pv_arg_wait(c, node);
}

/* What it covered waits again. */
void pv_arg_uncover(struct pv_cpa *c, struct pv_node *n) {
  for (uint32_t i = 0; i < n->covered.n; i++) {
    c->nodes.at[n->covered.at[i]].covered_by = PV_NO_NODE;
    pv_arg_count(c, n->covered.at[i], 1);
    pv_arg_wait(c, n->covered.at[i]);
  }
  n->covered.n = 0;
}

void pv_arg_forget_precomputed(struct pv_cpa *c) {
  for (uint32_t i = 0; i < c->precomputed.n; i++) pv_vec_free(&c->precomputed.at[i]);
  c->precomputed.n = 0;
  pv_map_free(&c->precomputed_at);
  c->precomputed_at = (struct pv_map){0};
}

/* ---- removal
 * --------------------------------------------------------------------------------------- */

void pv_arg_drop_edge(struct pv_cpa *c, uint32_t from, uint32_t to) {
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

void pv_arg_remove_one(struct pv_cpa *c, uint32_t node) {
  struct pv_node *n = &c->nodes.at[node];
  n->removed = true;
  c->stats.removed++;
  if (n->covered_by == PV_NO_NODE) pv_arg_count(c, node, -1);
  /* Parents that stay must be expanded again. */
  while (n->parents.n) {
    uint32_t parent = pv_vec_last(&n->parents).node;
    pv_arg_drop_edge(c, parent, node);
    pv_arg_wait(c, parent);
  }
  pv_arg_uncover(c, n);
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
      pv_arg_drop_edge(c, node, child);
      if (child != stays) pv_vec_push(&stack, child);
    }
    pv_arg_remove_one(c, node);
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
    uint32_t path = n->children.at[i].path;
    for (uint32_t k = 0; path && k < c->paths.at[path - 1].n; k++) {
      const struct pv_move *m = &c->passed.at[c->paths.at[path - 1].first + k];
      if (m->edge == edge && pv_control_frame(c->control, m->frame)->function == function)
        return true;
    }
    const struct pv_move *m = &n->children.at[i].move;
    if (path && m->edge == edge && pv_control_frame(c->control, m->frame)->function == function)
      return true;
  }
  return false;
}

void pv_cpa_reconsider(struct pv_cpa *c, uint32_t function, uint32_t edge) {
  pv_arg_forget_precomputed(c);
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
      pv_arg_wait(c, node);
    }
  }
}

void pv_cpa_restart(struct pv_cpa *c) {
  for (uint32_t i = 0; i < c->nodes.n; i++) free_node(&c->nodes.at[i]);
  for (uint32_t i = 0; i < c->buckets.n; i++) pv_vec_free(&c->buckets.at[i].nodes);
  c->nodes.n = c->buckets.n = c->heap.n = c->paths.n = c->passed.n = 0;
  pv_arg_forget_precomputed(c);
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
