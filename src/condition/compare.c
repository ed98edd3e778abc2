#include "condition/compare.h"

#include "condition/transitions.h"

#include <stdlib.h>
#include <string.h>

enum answer { NO, YES, UNKNOWN };

static bool same_choice(struct pv_choice a, struct pv_choice b) {
  return a.thread == b.thread && a.alternative == b.alternative;
}

/* ---- bounds and inputs ----------------------------------------------------------------------- */
static enum answer bound_in(const struct pv_open_part *a, const struct pv_open_part *b) {
  bool place = !b->function || (a->function == b->function && a->place == b->place);
  return a->bound == b->bound && place && a->number >= b->number ? YES : NO;
}

/* Are all values that `b` tried among those that `a` tried? */
static enum answer inputs_in(const struct pv_open_part *a, const struct pv_open_part *b) {
  if (a->function != b->function || a->place != b->place) return NO;
  for (uint32_t i = 0; i < b->tried.n; i++) {
    uint64_t low = b->tried.at[i].low, high = b->tried.at[i].high;
    bool done = false;
    for (uint32_t k = 0; k < a->tried.n && !done; k++) {
      const struct pv_value_range *r = &a->tried.at[k];
      if (r->high < low) continue;
      if (r->low > low) return NO;
      done = r->high >= high;
      low = r->high + 1; /* not used if it is done */
    }
    if (!done) return NO;
  }
  return YES;
}

/* ---- frontiers ------------------------------------------------------------------------------- */
struct path { /* the choices and numbers of the prefixes from the root to the current one */
  PV_VEC(uint32_t) nodes;
};

static void step(struct path *p, const struct pv_open_part *f, uint32_t node) {
  p->nodes.n = f->prefixes.at[node].depth;
  pv_vec_push(&p->nodes, node);
}

static uint32_t sleep_of(const struct pv_open_part *f, uint32_t node) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < node; i++) at += f->prefixes.at[i].sleeping;
  return at;
}

static bool sleeps(const struct pv_open_part *f, uint32_t node, struct pv_choice c) {
  uint32_t at = sleep_of(f, node);
  for (uint32_t i = 0; i < f->prefixes.at[node].sleeping; i++) {
    const struct pv_choice *s = &f->sleeping.at[at + i];
    if (same_choice(*s, c) || (s->thread == c.thread && s->alternative == PV_EVERY_ALTERNATIVE))
      return true;
  }
  return false;
}

/* Does everything sleep at node y of b that sleeps at node x of a? */
static bool sleep_within(const struct pv_open_part *b, uint32_t y, const struct pv_open_part *a,
                         uint32_t x) {
  uint32_t at = sleep_of(b, y);
  for (uint32_t i = 0; i < b->prefixes.at[y].sleeping; i++)
    if (!sleeps(a, x, b->sleeping.at[at + i])) return false;
  return true;
}

/* The child of a node by a choice, or UINT32_MAX. */
static uint32_t child(const struct pv_open_part *f, uint32_t node, struct pv_choice c) {
  uint32_t depth = f->prefixes.at[node].depth;
  for (uint32_t i = node + 1; i < f->prefixes.n && f->prefixes.at[i].depth > depth; i++)
    if (f->prefixes.at[i].depth == depth + 1 && same_choice(f->prefixes.at[i].choice, c)) return i;
  return UINT32_MAX;
}

static bool has_open_below(const struct pv_open_part *f, uint32_t node) {
  uint32_t depth = f->prefixes.at[node].depth;
  for (uint32_t i = node + 1; i < f->prefixes.n && f->prefixes.at[i].depth > depth; i++)
    if (f->prefixes.at[i].is_open) return true;
  return false;
}

/* Are the executions of the last prefix of the path through `a` also open in `b`? */
static enum answer prefix_in(const struct pv_open_part *a, const struct path *p,
                             const struct pv_open_part *b) {
  uint32_t y = b->prefixes.n ? 0 : UINT32_MAX, last = pv_vec_last(&p->nodes);
  bool some = false; /* of them may be */
  for (uint32_t i = 0; i < p->nodes.n && y != UINT32_MAX; i++) {
    if (i) y = child(b, y, a->prefixes.at[p->nodes.at[i]].choice);
    if (y == UINT32_MAX) break;
    bool is_last = p->nodes.at[i] == last, is_open = b->prefixes.at[y].is_open;
    if (is_open && (is_last ? sleep_within(b, y, a, last) : !b->prefixes.at[y].sleeping))
      return YES;
    some |= is_last ? has_open_below(b, y) : is_open;
  }
  return some ? UNKNOWN : NO;
}

static enum answer frontier_in(const struct pv_open_part *a, const struct pv_open_part *b) {
  struct path p = {0};
  enum answer all = YES;
  for (uint32_t i = 0; i < a->prefixes.n && all != NO; i++) {
    step(&p, a, i);
    if (!a->prefixes.at[i].is_open) continue;
    enum answer one = prefix_in(a, &p, b);
    if (one != YES) all = one;
  }
  pv_vec_free(&p.nodes);
  return all;
}

/* ---- automata -------------------------------------------------------------------------------- */
enum { MOST_PAIRS = 4000000 };

/* What is to be said of the states that one path leads to in both. UNKNOWN: look further. */
static enum answer pair_in(const struct pv_transitions *a, uint32_t x,
                           const struct pv_transitions *b, uint32_t y) {
  if (x == PV_AUTOMATON_VERIFIED || y == PV_AUTOMATON_OPEN) return YES;
  if (y == PV_AUTOMATON_VERIFIED) return a->reaches[PV_AUTOMATON_OPEN].at[x] ? NO : YES;
  if (x == PV_AUTOMATON_OPEN) return b->reaches[PV_AUTOMATON_VERIFIED].at[y] ? NO : YES;
  return UNKNOWN;
}

static enum answer automaton_in(const struct pv_open_part *p, const struct pv_open_part *q) {
  struct pv_transitions a = {0}, b = {0};
  struct pv_map seen = {0};
  const uint32_t start[2] = {PV_AUTOMATON_FIRST, PV_AUTOMATON_FIRST};
  enum answer all = YES;
  pv_transitions_read(&a, p);
  pv_transitions_read(&b, q);
  pv_map_put(&seen, start, sizeof start, 0, NULL);
  for (uint32_t i = 0; i < seen.n && all == YES; i++) {
    uint32_t pair[2];
    memcpy(pair, seen.entry[i].key, sizeof pair);
    enum answer here = pair_in(&a, pair[0], &b, pair[1]);
    if (here == NO) all = NO;
    if (here != UNKNOWN) continue;
    if (pair_in(&a, p->otherwise, &b, q->otherwise) == NO) all = NO;
    for (uint32_t side = 0; side < 2; side++) {
      const struct pv_transitions *x = side ? &b : &a;
      for (uint32_t k = x->first.at[pair[side]]; k < x->first.at[pair[side] + 1]; k++) {
        const struct pv_automaton_move *m = &x->part->moves.at[k];
        const uint32_t next[2] = {pv_transitions_next(&a, pair[0], m),
                                  pv_transitions_next(&b, pair[1], m)};
        pv_map_put(&seen, next, sizeof next, 0, NULL);
      }
    }
    if (seen.n > MOST_PAIRS) all = UNKNOWN;
  }
  pv_map_free(&seen);
  pv_transitions_free(&a);
  pv_transitions_free(&b);
  return all;
}

/* ---- conditions ------------------------------------------------------------------------------ */
static enum answer part_in(const struct pv_open_part *a, const struct pv_open_part *b) {
  if (a->kind != b->kind || a->circular != b->circular) return UNKNOWN;
  switch (a->kind) {
  case PV_OPEN_BOUND: return bound_in(a, b);
  case PV_OPEN_INPUTS: return inputs_in(a, b);
  case PV_OPEN_FRONTIER: return frontier_in(a, b);
  case PV_OPEN_AUTOMATON: return automaton_in(a, b);
  case PV_OPEN_COUNT: break;
  }
  return UNKNOWN;
}

static bool is_used(const struct pv_condition *c, uint32_t part, pv_properties set) {
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (c->provisos.at[i].part == part + 1 && pv_proviso_concerns(&c->provisos.at[i], set))
      return true;
  return false;
}

/* Is all that `a` leaves open of the property also open in `b`? */
static enum answer open_in(const struct pv_condition *a, const struct pv_condition *b,
                           pv_properties property) {
  enum pv_openness x = pv_condition_openness_of(a, property),
                   y = pv_condition_openness_of(b, property);
  if (x == PV_OPEN_NOTHING || y == PV_OPEN_EVERYTHING) return YES;
  if (x == PV_OPEN_EVERYTHING || y == PV_OPEN_NOTHING) return NO;
  enum answer all = YES;
  for (uint32_t i = 0; i < a->parts.n; i++) {
    enum answer one = NO;
    if (!is_used(a, i, property)) continue;
    for (uint32_t k = 0; k < b->parts.n && one != YES; k++) {
      if (!is_used(b, k, property)) continue;
      enum answer here = part_in(&a->parts.at[i], &b->parts.at[k]);
      if (here != NO) one = here;
    }
    if (one == NO) return NO;
    if (one == UNKNOWN) all = UNKNOWN;
  }
  return all;
}

static bool assumed_in(const struct pv_condition *a, const struct pv_condition *b,
                       pv_properties property) {
  for (uint32_t i = 0; i < a->provisos.n; i++) {
    const struct pv_proviso *p = &a->provisos.at[i];
    bool found = p->part || !pv_proviso_is_assumption(p->kind) || !pv_proviso_concerns(p, property);
    for (uint32_t k = 0; k < b->provisos.n && !found; k++) {
      const struct pv_proviso *q = &b->provisos.at[k];
      found = q->kind == p->kind && !strcmp(q->sentence, p->sentence) &&
              pv_proviso_concerns(q, property);
    }
    if (!found) return false;
  }
  return true;
}

/* Does the condition say the same about both properties? */
static bool says_the_same(const struct pv_condition *c, pv_properties x, pv_properties y) {
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (pv_proviso_concerns(&c->provisos.at[i], x) != pv_proviso_concerns(&c->provisos.at[i], y))
      return false;
  return true;
}

static enum answer within(const struct pv_condition *a, const struct pv_condition *b,
                          pv_properties all) {
  enum answer result = YES;
  for (unsigned i = 0; i < PV_PROP_COUNT && result != NO; i++) {
    pv_properties p = PV_PROP_BIT(i);
    bool known = !(all & p);
    for (unsigned k = 0; k < i && !known; k++)
      known = (all & PV_PROP_BIT(k)) && says_the_same(a, p, PV_PROP_BIT(k)) &&
              says_the_same(b, p, PV_PROP_BIT(k));
    if (known) continue;
    enum answer one = assumed_in(a, b, p) ? open_in(a, b, p) : NO;
    if (one != YES) result = one;
  }
  return result;
}

enum pv_relation pv_condition_compare(const struct pv_condition *a, const struct pv_condition *b,
                                      pv_properties all) {
  enum answer x = within(a, b, all), y = within(b, a, all);
  if (x == YES && y == YES) return PV_EQUAL;
  if (x == YES && y == NO) return PV_WEAKER;
  if (x == NO && y == YES) return PV_STRONGER;
  return x == NO && y == NO ? PV_INCOMPARABLE : PV_UNDECIDED;
}
