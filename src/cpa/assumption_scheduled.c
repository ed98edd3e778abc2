/* assumption_scheduled.c -- the assumption automaton of a graph in which a cooperative scheduler is
 * executed (engine `esst`).
 *
 * Its states are sets of places: nodes, and points within the moves that are one edge of the graph
 * (pv_cpa_pass_by). Every execution of a call is a letter, also one after which the thread waits.
 * An execution that has taken the letters so far is at one of the places, unless its scheduler has
 * chosen a thread that reduction left out there. These threads are kept with the set: their next
 * letter leads to `open`. Where all threads at a set of places sleep, a letter may be missing
 * altogether; it leads to `open`, too.
 *
 * The automaton comes to `verified` only at a set whose nodes are closed, that is, no open node can
 * be reached from them, and no thread sleeps in them. Then no error can be reached from there by
 * any order of threads (docs/esst.md, the claim for nodes without sleeping threads). A node where a
 * thread sleeps says nothing by itself: what begins with this thread was examined elsewhere. */
#include "cpa/assumption_internal.h"

#include <stdlib.h>
#include <string.h>

/* Bounds on the states of an automaton, and on the places of one. What comes after them is open. */
enum { MOST_STATES = 20000, MOST_PLACES = 64 };

struct place { /* within an edge of the graph, after a part of its moves */
  uint32_t source, child, path, taken;
  struct pv_move last;
};

struct step {
  struct pv_automaton_move letter;
  struct pv_move move;
  uint32_t from, to; /* places; `to` before covering */
  bool is_given_up;
};

struct sets {
  struct pv_automaton_builder *b;
  uint32_t nodes; /* of the graph: smaller numbers of places are nodes */
  PV_VEC(struct place) places;
  struct pv_map place_index; /* path and moves taken -> number in `places` */
  struct pv_map index;       /* places, then the two halves of the threads left out -> state */
  PV_VEC(struct step) steps; /* of the state under way */
};

static const struct place *place_at(const struct sets *s, uint32_t place) {
  return place < s->nodes ? NULL : &s->places.at[place - s->nodes];
}

static uint32_t source_of(const struct sets *s, uint32_t place) {
  const struct place *p = place_at(s, place);
  return p ? p->source : place;
}

/* The threads that reduction may have left out of what follows the place. */
static uint64_t left_out_at(const struct sets *s, uint32_t place) {
  bool twin;
  return pv_cpa_left_out(s->b->cpa, source_of(s, place), &twin);
}

/* The next move at a point within an edge. */
static const struct pv_move *next_move(const struct sets *s, const struct place *p) {
  uint32_t n;
  const struct pv_move *passed = pv_cpa_passed(s->b->cpa, p->path, &n);
  return p->taken < n ? &passed[p->taken] : &p->last;
}

static uint32_t thread_at(const struct sets *s, uint32_t place) {
  const struct place *p = place_at(s, place);
  uint32_t frame = p ? next_move(s, p)->frame : pv_cpa_node(s->b->cpa, place)->state.at.frame;
  return pv_control_frame(s->b->g->control, frame)->thread;
}

static bool is_closed(const struct sets *s, uint32_t place) {
  return !s->b->open[source_of(s, place)] && !left_out_at(s, place);
}

static bool is_waiting(const struct sets *s, uint32_t place) {
  if (place >= s->nodes) return false;
  const struct pv_node *n = pv_cpa_node(s->b->cpa, place);
  return n->waiting || !n->expanded;
}

/* The place after `taken` moves of an edge from the node. */
static uint32_t within(struct sets *s, uint32_t source, const struct pv_arg_edge *e,
                       uint32_t taken) {
  const uint32_t key[2] = {e->path, taken};
  bool is_new;
  uint32_t at = *pv_map_put(&s->place_index, key, sizeof key, s->places.n, &is_new);
  if (is_new) pv_vec_push(&s->places, ((struct place){source, e->node, e->path, taken, e->move}));
  return s->nodes + at;
}

/* ---- states of the automaton ----------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The state of these places, which are sorted here; there is room for two more. */
static uint32_t state_of(struct sets *s, uint32_t *places, uint32_t n, uint64_t left_out) {
  uint32_t kept = 0;
  bool closed = !left_out;
  qsort(places, n, sizeof *places, by_number);
  for (uint32_t i = 0; i < n; i++)
    if (!kept || places[kept - 1] != places[i]) places[kept++] = places[i];
  if (kept > MOST_PLACES) return PV_AUTOMATON_OPEN;
  for (uint32_t i = 0; i < kept; i++) {
    if (is_waiting(s, places[i])) return PV_AUTOMATON_OPEN;
    closed &= is_closed(s, places[i]);
  }
  if (closed) return PV_AUTOMATON_VERIFIED;
  places[kept++] = (uint32_t)left_out;
  places[kept++] = (uint32_t)(left_out >> 32);
  const uint32_t *known = pv_map_get(&s->index, places, kept * sizeof *places);
  if (known) return *known;
  if (s->index.n >= MOST_STATES) return PV_AUTOMATON_OPEN;
  uint32_t state = PV_AUTOMATON_FIRST + s->index.n;
  pv_map_put(&s->index, places, kept * sizeof *places, state, NULL);
  return state;
}

/* ---- letters --------------------------------------------------------------------------------- */

static void add_step(struct sets *s, uint32_t from, struct pv_move move, uint32_t to) {
  pv_vec_push(&s->steps, ((struct step){pv_assumption_letter(s->b, &move), move, from, to, false}));
}

/* Adds what leads away from a node. The rest of a state that is covered in part is left out: the
 * node that covers it stands for it, with more threads that sleep. */
static void add_steps(struct sets *s, uint32_t node) {
  const struct pv_node *x = pv_cpa_node(s->b->cpa, node);
  pv_moves moves = {0};
  for (uint32_t i = 0; i < x->children.n; i++) {
    const struct pv_arg_edge *e = &x->children.at[i];
    uint32_t n;
    const struct pv_move *passed = pv_cpa_passed(s->b->cpa, e->path, &n);
    bool twin;
    pv_cpa_left_out(s->b->cpa, e->node, &twin);
    if (twin) continue;
    if (n)
      add_step(s, node, passed[0], within(s, node, e, 1));
    else
      add_step(s, node, e->move, e->node);
  }
  if (pv_assumption_may_give_up(s->b, node))
    pv_control_moves(s->b->g->control, x->state.at, &moves);
  for (uint32_t i = 0; i < moves.n; i++) {
    if (!pv_assumption_gives_up(s->b, node, &moves.at[i])) continue;
    add_step(s, node, moves.at[i], node);
    pv_vec_last(&s->steps).is_given_up = true;
  }
  pv_vec_free(&moves);
}

static void add_step_within(struct sets *s, uint32_t place) {
  struct place p = *place_at(s, place);
  uint32_t n;
  pv_cpa_passed(s->b->cpa, p.path, &n);
  const struct pv_arg_edge e = {p.child, p.path, p.last};
  uint32_t to = p.taken < n ? within(s, p.source, &e, p.taken + 1) : p.child;
  add_step(s, place, *next_move(s, &p), to);
}

static bool same_move(const struct pv_move *a, const struct pv_move *b) {
  return a->frame == b->frame && a->edge == b->edge && a->alternative == b->alternative &&
         pv_point_eq(a->to, b->to);
}

/* Were the same moves taken from one node to both places? */
static bool same_way(const struct sets *s, uint32_t a, uint32_t b) {
  const struct place *x = place_at(s, a), *y = place_at(s, b);
  uint32_t n, m;
  if (a == b) return true;
  if (!x || !y || x->source != y->source || x->taken != y->taken) return false;
  const struct pv_move *p = pv_cpa_passed(s->b->cpa, x->path, &n);
  const struct pv_move *q = pv_cpa_passed(s->b->cpa, y->path, &m);
  for (uint32_t i = 0; i < x->taken; i++)
    if (!same_move(&p[i], &q[i])) return false;
  return true;
}

/* After the letter of step i: the threads that may run, but have no place. */
static uint64_t left_out_by(const struct sets *s, uint32_t i) {
  const struct step *step = &s->steps.at[i];
  uint64_t all = pv_control_may_follow(s->b->g->control, &step->move), present = 0;
  if (!all) return 0;
  for (uint32_t k = 0; k < s->steps.n; k++) {
    const struct step *other = &s->steps.at[k];
    if (other->is_given_up || !pv_same_letter(&other->letter, &step->letter)) continue;
    if (other->move.alternative != step->move.alternative) continue;
    if (same_way(s, other->from, step->from)) present |= UINT64_C(1) << thread_at(s, other->to);
  }
  return (all & ~present) | left_out_at(s, step->from);
}

/* Is there a place where threads sleep, and from which the letter may be missing for this reason?
 */
static bool is_missing(const struct sets *s, const uint32_t *places, uint32_t n,
                       const struct pv_automaton_move *letter) {
  for (uint32_t i = 0; i < n; i++) {
    bool has = !left_out_at(s, places[i]) || thread_at(s, places[i]) != letter->thread;
    for (uint32_t k = 0; k < s->steps.n && !has; k++)
      has = pv_same_letter(&s->steps.at[k].letter, letter) &&
            source_of(s, s->steps.at[k].from) == source_of(s, places[i]);
    if (!has) return true;
  }
  return false;
}

/* Where the letter of step `first` leads, the first step with it. */
static uint32_t target(struct sets *s, uint32_t first, const uint32_t *places, uint32_t n,
                       uint64_t left_out) {
  const struct pv_automaton_move letter = s->steps.at[first].letter;
  PV_VEC(uint32_t) next = {0};
  uint64_t lost = 0;
  bool opens = left_out >> letter.thread & 1 || is_missing(s, places, n, &letter);
  for (uint32_t i = first; i < s->steps.n && !opens; i++) {
    if (!pv_same_letter(&s->steps.at[i].letter, &letter)) continue;
    if (s->steps.at[i].is_given_up) {
      opens = true;
      break;
    }
    uint32_t to = s->steps.at[i].to;
    lost |= left_out_by(s, i);
    pv_vec_push(&next, to < s->nodes ? pv_assumption_node(s->b->cpa, to) : to);
  }
  uint32_t n_next = next.n;
  for (int i = 0; i < 2; i++) pv_vec_push(&next, 0); /* room for state_of */
  uint32_t state = opens ? PV_AUTOMATON_OPEN : state_of(s, next.at, n_next, lost);
  pv_vec_free(&next);
  return state;
}

/* Adds the transitions of a state. */
static void add_moves(struct sets *s, uint32_t state, const uint32_t *places, uint32_t n,
                      uint64_t left_out) {
  s->steps.n = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (places[i] < s->nodes)
      add_steps(s, places[i]);
    else
      add_step_within(s, places[i]);
  }
  for (uint32_t i = 0; i < s->steps.n; i++) {
    bool is_first = true;
    for (uint32_t k = 0; k < i && is_first; k++)
      is_first = !pv_same_letter(&s->steps.at[k].letter, &s->steps.at[i].letter);
    if (!is_first) continue;
    struct pv_automaton_move m = s->steps.at[i].letter;
    m.from = state;
    m.to = target(s, i, places, n, left_out);
    if (m.to != PV_AUTOMATON_OPEN) pv_vec_push(&s->b->part->moves, m);
  }
}

/* ---- states that lead to `verified` ---------------------------------------------------------- */

/* Leaves out the states that do not. Returns false if the first one does not. */
static bool shrink(struct pv_open_part *part, uint32_t states) {
  uint32_t *number = pv_alloc(states * sizeof *number), kept = 0;
  number[PV_AUTOMATON_VERIFIED] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = part->moves.n; i-- > 0;) {
      const struct pv_automaton_move *m = &part->moves.at[i];
      if (!number[m->to] || number[m->from]) continue;
      number[m->from] = changed = true;
    }
  }
  bool some = number[PV_AUTOMATON_FIRST];
  part->states = PV_AUTOMATON_FIRST;
  for (uint32_t i = PV_AUTOMATON_FIRST; i < states; i++)
    if (number[i]) number[i] = part->states++;
  for (uint32_t i = 0; i < part->moves.n; i++) {
    struct pv_automaton_move m = part->moves.at[i];
    if (!number[m.to]) continue;
    m.from = number[m.from];
    if (m.to != PV_AUTOMATON_VERIFIED) m.to = number[m.to];
    part->moves.at[kept++] = m;
  }
  part->moves.n = kept;
  free(number);
  return some;
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool pv_assumption_build_scheduled(struct pv_automaton_builder *b) {
  struct sets s = {.b = b, .nodes = pv_cpa_nodes(b->cpa)};
  b->part->kind = PV_OPEN_AUTOMATON;
  b->part->otherwise = PV_AUTOMATON_OPEN;
  uint32_t first[3] = {pv_assumption_node(b->cpa, 0)};
  bool some = state_of(&s, first, 1, 0) == PV_AUTOMATON_FIRST;
  for (uint32_t i = 0; some && i < s.index.n; i++) {
    uint32_t n = s.index.entry[i].key_len / (uint32_t)sizeof(uint32_t);
    uint32_t *places = pv_alloc(n * sizeof *places);
    memcpy(places, s.index.entry[i].key, n * sizeof *places);
    uint64_t left_out = places[n - 2] | (uint64_t)places[n - 1] << 32;
    add_moves(&s, PV_AUTOMATON_FIRST + i, places, n - 2, left_out);
    free(places);
  }
  some = some && shrink(b->part, PV_AUTOMATON_FIRST + s.index.n);
  pv_vec_free(&s.places);
  pv_vec_free(&s.steps);
  pv_map_free(&s.place_index);
  pv_map_free(&s.index);
  return some;
}
