#include "condition/algebra.h"

#include <stdlib.h>
#include <string.h>

#include "condition/compare.h"
#include "condition/transitions.h"

enum { VERIFIED = PV_AUTOMATON_VERIFIED, OPEN = PV_AUTOMATON_OPEN, FIRST = PV_AUTOMATON_FIRST };

/* ---- product --------------------------------------------------------------------------------- */
enum { MOST_STATES = 200000, MOST_MOVES = 4000000 };

struct product {
  struct pv_transitions of[2];
  bool prunes; /* states from which `open` cannot be reached are `verified` */
  /* By side: once it is open, so is the pair. For the side that says `verified` of what it does not
   * mention, if the other one says `open`: the pair would have to say `open` from then on, too, and
   * the product cannot say `verified` of some states and `open` of others. */
  bool opens[2];
  struct pv_map pairs; /* of states -> state of the product, in the order of the states */
  struct pv_open_part *out;
};

static bool may_open(const struct pv_transitions *x, uint32_t state) {
  return x->reaches[OPEN].at[state];
}

static uint32_t state_of(struct product *p, uint32_t x, uint32_t y) {
  if (x == VERIFIED || y == VERIFIED) return VERIFIED;
  if (p->prunes && (!may_open(&p->of[0], x) || !may_open(&p->of[1], y))) return VERIFIED;
  if (x == OPEN && y == OPEN) return OPEN;
  if (p->opens[0] && x == OPEN) return OPEN;
  if (p->opens[1] && y == OPEN) return OPEN;
  const uint32_t pair[2] = {x, y};
  return *pv_map_put(&p->pairs, pair, sizeof pair, FIRST + p->pairs.n, NULL);
}

static uint32_t step(const struct pv_transitions *x, uint32_t state,
                     const struct pv_automaton_move *letter) {
  return state == OPEN ? OPEN : pv_transitions_next(x, state, letter);
}

/* Adds the transitions of a pair by the letters of one side; those of side 1 only if side 0 does
 * not have them, too. */
static void add_moves(struct product *p, uint32_t state, const uint32_t *pair, uint32_t side) {
  const struct pv_transitions *x = &p->of[side];
  if (pair[side] < FIRST) return;
  for (uint32_t i = x->first.at[pair[side]]; i < x->first.at[pair[side] + 1]; i++) {
    struct pv_automaton_move m = x->part->moves.at[i];
    if (side && pair[0] >= FIRST && pv_transitions_find(&p->of[0], pair[0], &m)) continue;
    m.to = state_of(p, step(&p->of[0], pair[0], &m), step(&p->of[1], pair[1], &m));
    m.from = state;
    if (m.to != p->out->otherwise) pv_vec_push(&p->out->moves, m);
  }
}

/* prunes: the open set of the result may be larger than it has to be. */
static bool multiply(const struct pv_open_part *a, const struct pv_open_part *b, bool prunes,
                     struct pv_open_part *out) {
  bool differ = a->otherwise != b->otherwise;
  if (differ && !prunes) return false;
  struct product p = {.prunes = prunes, .out = out};
  p.opens[0] = differ && a->otherwise == VERIFIED;
  p.opens[1] = differ && b->otherwise == VERIFIED;
  *out = (struct pv_open_part){.kind = PV_OPEN_AUTOMATON,
                               .otherwise = differ ? VERIFIED : a->otherwise};
  pv_transitions_read(&p.of[0], a);
  pv_transitions_read(&p.of[1], b);
  bool fits = true;
  if (state_of(&p, FIRST, FIRST) == VERIFIED) { /* one state without a way to `open` */
    out->states = FIRST + 1;
    out->otherwise = VERIFIED;
  }
  for (uint32_t i = 0; i < p.pairs.n && fits; i++) {
    uint32_t pair[2];
    memcpy(pair, p.pairs.entry[i].key, sizeof pair);
    add_moves(&p, FIRST + i, pair, 0);
    add_moves(&p, FIRST + i, pair, 1);
    fits = p.pairs.n <= MOST_STATES && out->moves.n <= MOST_MOVES;
  }
  if (p.pairs.n) out->states = FIRST + p.pairs.n;
  pv_map_free(&p.pairs);
  pv_transitions_free(&p.of[0]);
  pv_transitions_free(&p.of[1]);
  if (!fits) {
    pv_open_part_clear(out);
    *out = (struct pv_open_part){0};
  }
  return fits;
}

bool pv_open_part_product(const struct pv_open_part *a, const struct pv_open_part *b,
                          struct pv_open_part *out) {
  return multiply(a, b, true, out);
}

/* ---- complement and union -------------------------------------------------------------------- */
static uint32_t other_sink(uint32_t state) {
  return state == OPEN ? VERIFIED : state == VERIFIED ? OPEN : state;
}

struct pv_open_part pv_open_part_complement(const struct pv_open_part *a) {
  struct pv_open_part out = {
      .kind = PV_OPEN_AUTOMATON, .states = a->states, .otherwise = other_sink(a->otherwise)};
  for (uint32_t i = 0; i < a->moves.n; i++) {
    struct pv_automaton_move m = a->moves.at[i];
    if (m.from < FIRST) continue;
    m.to = other_sink(m.to);
    pv_vec_push(&out.moves, m);
  }
  return out;
}

/* What may end without coming to a sink is in neither open set, nor in their union. So no state is
 * taken for a sink that it merely cannot miss. */
bool pv_open_part_union(const struct pv_open_part *a, const struct pv_open_part *b,
                        struct pv_open_part *out) {
  struct pv_open_part x = pv_open_part_complement(a), y = pv_open_part_complement(b), both = {0};
  bool fits = multiply(&x, &y, false, &both);
  if (fits) *out = pv_open_part_complement(&both);
  pv_open_part_clear(&x);
  pv_open_part_clear(&y);
  pv_open_part_clear(&both);
  return fits;
}

/* ---- all forms ------------------------------------------------------------------------------- */
static bool automaton_is_empty(const struct pv_open_part *p) {
  struct pv_transitions x = {0};
  pv_transitions_read(&x, p);
  bool empty = !x.reaches[OPEN].at[FIRST];
  pv_transitions_free(&x);
  return empty;
}

bool pv_open_part_is_empty(const struct pv_open_part *p) {
  if (p->kind == PV_OPEN_AUTOMATON) return automaton_is_empty(p);
  if (p->kind != PV_OPEN_FRONTIER) return false;
  for (uint32_t i = 0; i < p->prefixes.n; i++)
    if (p->prefixes.at[i].is_open) return false;
  return true;
}

/* The number of ways on from a state: those of the places where its moves begin. */
static double ways_from(const struct pv_open_part *p, const struct pv_program *program,
                        uint32_t first, uint32_t end) {
  double ways = 0;
  for (uint32_t i = first; i < end; i++) {
    const struct pv_automaton_move *m = &p->moves.at[i];
    if (m->function >= program->functions.n ||
        m->edge >= program->functions.at[m->function].edges.n)
      return end - first + 1;
    const struct pv_function *f = &program->functions.at[m->function];
    pv_loc from = f->edges.at[m->edge].from;
    bool known = false;
    for (uint32_t k = first; k < i && !known; k++) {
      const struct pv_automaton_move *x = &p->moves.at[k];
      known =
          x->thread == m->thread && x->function == m->function && f->edges.at[x->edge].from == from;
    }
    if (!known) ways += f->locs.at[from].n_out;
  }
  return ways > end - first ? ways : end - first;
}

/* The probabilities are a fixed point. */
static double measure_automaton(const struct pv_open_part *p, const struct pv_program *program) {
  enum { MOST_ROUNDS = 2000 };
  PV_VEC(double) at = {0};
  for (uint32_t i = 0; i < p->states; i++) pv_vec_push(&at, i == OPEN);
  double change = 1;
  for (uint32_t round = 0; round < MOST_ROUNDS && change > 1e-9; round++) {
    change = 0;
    for (uint32_t i = p->moves.n, from = p->states; from-- > FIRST;) {
      for (; i && p->moves.at[i - 1].from > from; i--) continue;
      uint32_t end = i;
      double sum = 0;
      for (; i && p->moves.at[i - 1].from == from; i--) sum += at.at[p->moves.at[i - 1].to];
      double n = program && i < end ? ways_from(p, program, i, end) : end - i + 1;
      if (p->otherwise == OPEN) sum += n - (end - i);
      double now = sum / n, step = now > at.at[from] ? now - at.at[from] : at.at[from] - now;
      if (step > change) change = step;
      at.at[from] = now;
    }
  }
  double measure = at.at[FIRST];
  pv_vec_free(&at);
  return measure;
}

/* A prefix divides its weight evenly among its children and, if it is open, itself. Prefixes are
 * many and deep, so the children of all are counted in one pass. */
static double measure_frontier(const struct pv_open_part *p) {
  PV_VEC(uint32_t) shares = {0}, path = {0}; /* of each prefix; the prefixes from the root on */
  PV_VEC(double)
  weight = {0}; /* of the children of the prefixes from the root on, for each child */
  double sum = 0;
  for (uint32_t i = 0; i < p->prefixes.n; i++) {
    const struct pv_prefix *x = &p->prefixes.at[i];
    pv_vec_push(&shares, x->is_open);
    if (x->depth) shares.at[path.at[x->depth - 1]]++;
    path.n = x->depth;
    pv_vec_push(&path, i);
  }
  for (uint32_t i = 0; i < p->prefixes.n; i++) {
    const struct pv_prefix *x = &p->prefixes.at[i];
    double mine = x->depth ? weight.at[x->depth - 1] : 1;
    weight.n = x->depth;
    pv_vec_push(&weight, shares.at[i] ? mine / shares.at[i] : 0);
    if (x->is_open) sum += pv_vec_last(&weight);
  }
  pv_vec_free(&shares);
  pv_vec_free(&path);
  pv_vec_free(&weight);
  return sum;
}

double pv_open_part_measure(const struct pv_open_part *p, const struct pv_program *program) {
  if (pv_open_part_is_empty(p)) return 0;
  if (p->kind == PV_OPEN_AUTOMATON) return measure_automaton(p, program);
  return p->kind == PV_OPEN_FRONTIER ? measure_frontier(p) : -1;
}

/* ---- conditions ------------------------------------------------------------------------------ */
/* The only part that is open for a property, and the first proviso that describes it. */
static const struct pv_open_part *only_automaton(const struct pv_condition *c,
                                                 pv_properties property,
                                                 const struct pv_proviso **why) {
  const struct pv_open_part *found = NULL;
  if (pv_condition_openness_of(c, property) != PV_OPEN_PARTS) return NULL;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    const struct pv_proviso *p = &c->provisos.at[i];
    if (!p->part || !pv_proviso_concerns(p, property)) continue;
    const struct pv_open_part *part = &c->parts.at[p->part - 1];
    if (part->kind != PV_OPEN_AUTOMATON || (found && found != part)) return NULL;
    if (!found) *why = p;
    found = part;
  }
  return found;
}

/* Adds what is said of a property: all of it, or only the assumptions. */
static void take(struct pv_condition *out, const struct pv_condition *from, pv_properties property,
                 pv_properties all, bool open_too) {
  for (uint32_t i = 0; i < from->provisos.n; i++) {
    const struct pv_proviso *p = &from->provisos.at[i];
    if (open_too || (!p->part && pv_proviso_is_assumption(p->kind)))
      pv_condition_append_for(out, from, i, property, all);
  }
}

/* Puts the product of two automata in their place. */
static bool take_product(struct pv_condition *out, const struct pv_condition *a,
                         const struct pv_condition *b, pv_properties property, pv_properties all) {
  const struct pv_proviso *p = NULL, *q = NULL;
  const struct pv_open_part *x = only_automaton(a, property, &p),
                            *y = only_automaton(b, property, &q);
  struct pv_condition one = {0};
  struct pv_open_part part = {0};
  if (!x || !y || !pv_open_part_product(x, y, &part)) return false;
  take(out, a, property, all, false);
  take(out, b, property, all, false);
  if (pv_open_part_is_empty(&part)) {
    pv_open_part_clear(&part);
    return true;
  }
  pv_condition_add(&one, p->kind, NULL, 0,
                   "no error lies in what two results leave open, the one if %s, the other one "
                   "if %s",
                   p->sentence, q->sentence);
  pv_condition_open(&one, part);
  pv_condition_append_for(out, &one, 0, property, all);
  pv_condition_clear(&one);
  return true;
}

/* Does `a` leave less open than `b`, or as much and assumes less? */
static bool is_smaller(const struct pv_condition *a, const struct pv_condition *b,
                       pv_properties property) {
  enum pv_openness x = pv_condition_openness_of(a, property),
                   y = pv_condition_openness_of(b, property);
  if (x != y) return x < y;
  enum pv_relation r = pv_condition_compare(a, b, property);
  return r == PV_WEAKER || r == PV_EQUAL;
}

void pv_condition_product(const struct pv_condition *a, const struct pv_condition *b,
                          pv_properties all, struct pv_condition *out) {
  for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    pv_properties p = PV_PROP_BIT(i) & all;
    if (!p || take_product(out, a, b, p, all)) continue;
    take(out, is_smaller(b, a, p) ? b : a, p, all, true);
  }
}

bool pv_condition_complement(const struct pv_condition *c, struct pv_condition *out) {
  const struct pv_open_part *part = pv_condition_only(c, PV_OPEN_AUTOMATON);
  if (!part) return false;
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (c->provisos.at[i].part && c->provisos.at[i].about) return false;
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (!c->provisos.at[i].part) pv_condition_append_one(out, c, i);
  pv_condition_add(out, PV_PROVISO_OBSERVER, NULL, 0,
                   "no error lies in what the condition left open of which this is the complement");
  pv_condition_add(out, PV_PROVISO_EXCLUDED, NULL, 0, "what another condition covers has no error");
  pv_condition_open(out, pv_open_part_complement(part));
  return true;
}
