#include "cpa/value.h"

#include <stdlib.h>
#include <string.h>

struct list { /* the cells of a state, sorted, and their values */
  uint32_t n, *cells;
  pv_term *values;
  uint64_t signature; /* a bit for each cell, modulo 64 */
  uint32_t class;     /* UINT32_MAX: not computed yet */
};
struct known_set {
  uint32_t number, n;
  const uint32_t *cells; /* sorted */
  uint64_t signature;
};
typedef PV_VEC(struct known_set) pv_sets;

/* Weights of a new value that is a constant, and of one that was computed: see `weigh`. */
enum { SET_WEIGHT = 1, COMPUTED_WEIGHT = 8 };

struct pv_value_analysis {
  struct pv_symbolic *symbolic;
  struct pv_smt *smt;
  struct pv_control *control;
  struct pv_analysis analysis;
  bool silent, gave_up;
  uint32_t most;            /* a bound on the values of a cell; 0: none */
  uint32_t most_steering;   /* the same of cells that decide between calls of the scheduler */
  struct pv_map seen;       /* struct seen */
  PV_VEC(uint32_t) weights; /* by cell: the sum of the weights of its different values */
  bool shares;
  pv_cells shared;        /* sorted; in the precision at every point */
  bool begins;            /* pv_value_begin */
  PV_VEC(uint32_t) begun; /* by cell: how many values it had at the beginning */
  struct pv_map had;      /* (value, cell) -> nothing: those values */
  struct pv_map ground;   /* array -> is it known? */
  struct pv_map rebased;  /* array -> place in `rebased_terms` */
  pv_terms rebased_terms;
  struct pv_map precisions;   /* struct pv_point -> precision */
  PV_VEC(pv_cells) precision; /* sorted */
  struct pv_pool pool;
  struct pv_map listed; /* state -> number in `lists` */
  PV_VEC(struct list) lists;
  struct pv_map set_numbers; /* cells -> number of a set of cells */
  uint32_t n_sets;
  struct pv_map places; /* struct scope -> the sets of cells known in states there */
  PV_VEC(pv_sets) sets;
  struct pv_map filed; /* (set number, values) -> number of the state with exactly these values */
};

/* An abstract state is a pv_sym without a condition whose values are all numbers. */
const struct pv_sym *pv_value_symbolic(const void *state) {
  return state;
}

/* ---- precisions
 * ----------------------------------------------------------------------------------- */
/* The scope of a precision: function and location. With the whole call stack it would be too
 * fine. */

struct scope {
  uint32_t function, loc;
};

static pv_cells *precision_at(struct pv_value_analysis *v, struct pv_point at) {
  struct scope key = {pv_control_frame(v->control, at.frame)->function, at.loc};
  bool is_new;
  uint32_t i = *pv_map_put(&v->precisions, &key, sizeof key, v->precision.n, &is_new);
  if (is_new) pv_vec_push(&v->precision, (pv_cells){0});
  return &v->precision.at[i];
}

static bool add_to(pv_cells *set, uint32_t cell) {
  uint32_t i = 0;
  while (i < set->n && set->at[i] < cell) i++;
  if (i < set->n && set->at[i] == cell) return false;
  pv_vec_push(set, cell);
  for (uint32_t k = set->n - 1; k > i; k--) set->at[k] = set->at[k - 1];
  set->at[i] = cell;
  return true;
}

/* ---- states
 * ------------------------------------------------------------------------------------------ */

static bool is_number(struct pv_value_analysis *v, pv_term t) {
  return pv_smt_is_number(v->smt, t);
}

/* Learns the value of a cell from a condition that holds: x == 5. */
static void learn(struct pv_value_analysis *v, pv_term t, pv_cells *cells, pv_terms *values) {
  struct pv_smt_shape shape;
  uint32_t cell;
  if (!pv_smt_shape(v->smt, t, &shape)) return;
  if (shape.kind == PV_SHAPE_CONSTANT &&
      (cell = pv_symbolic_cell_of(v->symbolic, t)) != UINT32_MAX) {
    pv_vec_push(cells, cell);
    pv_vec_push(values, pv_smt_bool(v->smt, true));
  }
  if (shape.kind != PV_SHAPE_OP) return;
  if (shape.op == PV_SMT_AND)
    for (uint32_t i = 0; i < shape.n; i++) learn(v, pv_smt_operand(v->smt, t, i), cells, values);
  if (shape.op == PV_SMT_NOT &&
      (cell = pv_symbolic_cell_of(v->symbolic, pv_smt_operand(v->smt, t, 0))) != UINT32_MAX) {
    pv_vec_push(cells, cell);
    pv_vec_push(values, pv_smt_bool(v->smt, false));
  }
  if (shape.op != PV_SMT_EQ) return;
  pv_term a = pv_smt_operand(v->smt, t, 0), b = pv_smt_operand(v->smt, t, 1);
  if (is_number(v, a)) {
    pv_term swap = a;
    a = b;
    b = swap;
  }
  cell = pv_symbolic_cell_of(v->symbolic, a);
  if (cell == UINT32_MAX || !is_number(v, b)) return;
  pv_vec_push(cells, cell);
  pv_vec_push(values, b);
}

/* Does the cell have too many values to be tracked explicitly? */
static bool is_given_up(const struct pv_value_analysis *v, uint32_t cell) {
  if (!v->most || cell >= v->weights.n) return false;
  uint32_t weight = v->weights.at[cell] / SET_WEIGHT;
  return weight > v->most && (weight > v->most_steering || !pv_symbolic_steers(v->symbolic, cell));
}

/* Adds the changed cells that decide between scheduler calls, whatever the precision is. They are
 * few, and without them the analysis would add threads that do not exist. */
static void with_steering(struct pv_value_analysis *v, const pv_cells *precision, pv_cells *all) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < all->n; i++)
    if (pv_symbolic_steers(v->symbolic, all->at[i])) all->at[kept++] = all->at[i];
  all->n = kept;
  for (uint32_t i = 0; i < precision->n; i++) add_to(all, precision->at[i]);
  for (uint32_t i = 0; i < v->shared.n; i++) add_to(all, v->shared.at[i]);
}

/* At the program's start: adds the cells whose initial values decide, too. */
static void with_globals(struct pv_value_analysis *v, pv_cells *all) {
  pv_cells globals = {0};
  if (pv_control_has_threads(v->control)) pv_symbolic_steering_globals(v->symbolic, &globals);
  for (uint32_t i = 0; i < globals.n; i++) add_to(all, globals.at[i]);
  pv_vec_free(&globals);
}

/* A number; or, with pv_value_begin, an array that does not depend on the values at the beginning
 * of the block. It may contain other constants: elements that may have any value. */
static bool is_known(struct pv_value_analysis *v, pv_term t) {
  bool is_new;
  if (is_number(v, t)) return true;
  if (!v->begins || pv_smt_sort(v->smt, t).kind != PV_SORT_ARRAY) return false;
  uint32_t *ground = pv_map_put(&v->ground, &t, sizeof t, 0, &is_new);
  if (!is_new) return *ground;
  pv_terms constants = {0};
  pv_smt_constants(v->smt, t, &constants);
  *ground = true;
  for (uint32_t i = 0; i < constants.n; i++)
    *ground &= pv_symbolic_cell_of(v->symbolic, constants.at[i]) == UINT32_MAX;
  pv_vec_free(&constants);
  return *ground;
}

/* The cells of a state and their values, as arrays. */
static struct list *list_of(struct pv_value_analysis *v, const struct pv_sym *state) {
  bool is_new;
  uint32_t i = *pv_map_put(&v->listed, &state, sizeof state, v->lists.n, &is_new);
  if (!is_new) return &v->lists.at[i];
  pv_cells cells = {0};
  pv_symbolic_changed(state, &cells);
  struct list l = {.n = cells.n, .class = UINT32_MAX};
  l.cells = pv_pool_alloc(&v->pool, (cells.n + 1) * sizeof *l.cells);
  l.values = pv_pool_alloc(&v->pool, (cells.n + 1) * sizeof *l.values);
  for (uint32_t k = 0; k < cells.n; k++) {
    l.cells[k] = cells.at[k];
    l.signature |= (uint64_t)1 << cells.at[k] % 64;
    l.values[k] = pv_symbolic_value(v->symbolic, state, cells.at[k]);
  }
  pv_vec_free(&cells);
  pv_vec_push(&v->lists, l);
  return &pv_vec_last(&v->lists);
}

/* Reduces a state to the cells of the precision; NULL: to all that have numbers and may be tracked.
 * In the first block of the program the initial state is extended, and unknown values are marked.
 */
static const struct pv_sym *keep(struct pv_value_analysis *v, const struct pv_sym *from,
                                 const struct pv_sym *state, const pv_cells *precision,
                                 struct pv_point at) {
  pv_cells cells = {0}, known = {0}, all = {0};
  pv_terms values = {0}, learnt = {0};
  bool everything = !precision, threads = pv_control_has_threads(v->control);
  learn(v, pv_symbolic_added(v->symbolic, from, state), &known, &learnt);
  if (everything || threads) {
    pv_symbolic_changed(state, &all);
    for (uint32_t i = 0; i < known.n; i++) add_to(&all, known.at[i]);
  }
  if (!everything && threads) with_steering(v, precision, &all);
  if (!everything && from == pv_symbolic_start(v->symbolic)) with_globals(v, &all);
  if (everything || threads) precision = &all;
  for (uint32_t i = 0; i < precision->n; i++) {
    pv_term t = pv_symbolic_value(v->symbolic, state, precision->at[i]);
    /* A value that was learnt before the move, which did not change the cell. */
    for (uint32_t k = 0; k < known.n && !is_number(v, t); k++)
      if (t == pv_symbolic_cell(v->symbolic, known.at[k])->entry) t = learnt.at[k];
    /* An array that changes in each round of a loop would never be the same again. */
    bool same = t == pv_symbolic_value(v->symbolic, from, precision->at[i]);
    if (!everything && !is_number(v, t) && !(same && is_known(v, t))) continue;
    bool given_up = is_given_up(v, precision->at[i]);
    if (!is_known(v, t) || given_up) t = pv_symbolic_cell(v->symbolic, precision->at[i])->entry;
    if (!everything && given_up) continue;
    if (threads && !everything && pv_symbolic_is_dead(v->symbolic, precision->at[i], at))
      continue; /* possibly of another thread, which has moved since */
    pv_vec_push(&cells, precision->at[i]);
    pv_vec_push(&values, t);
  }
  const struct pv_sym *kept =
      pv_symbolic_state(v->symbolic, everything, cells.n, cells.at, values.at);
  pv_vec_free(&cells);
  pv_vec_free(&known);
  pv_vec_free(&all);
  pv_vec_free(&values);
  pv_vec_free(&learnt);
  return kept;
}

static bool contains(const pv_cells *set, uint32_t cell) {
  uint32_t low = 0, high = set->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (set->at[middle] < cell)
      low = middle + 1;
    else
      high = middle;
  }
  return low < set->n && set->at[low] == cell;
}

/* The number that a cell which the move has changed, or about which it says something, has then, if
 * it is to be known; NULL otherwise. */
static pv_term changed_value(struct pv_value_analysis *v, const struct pv_sym *state, uint32_t cell,
                             const pv_cells *precision, const pv_cells *learnt,
                             const pv_terms *values) {
  if (!pv_symbolic_steers(v->symbolic, cell) && !contains(precision, cell) &&
      !contains(&v->shared, cell))
    return NULL;
  pv_term t = pv_symbolic_value(v->symbolic, state, cell);
  for (uint32_t k = 0; k < learnt->n && !is_number(v, t); k++)
    if (t == pv_symbolic_cell(v->symbolic, learnt->at[k])->entry) t = values->at[k];
  return is_number(v, t) ? t : NULL;
}

/* What of a state is forgotten at a point: variables that are dead there, and cells with too many
 * values. */
struct dropping {
  struct pv_value_analysis *v;
  struct pv_point at;
  pv_cells cells;
};

static void drop_cell(void *user, uint32_t cell, const void *value) {
  struct dropping *d = user;
  (void)value;
  if (is_given_up(d->v, cell) || pv_symbolic_is_dead(d->v->symbolic, cell, d->at))
    pv_vec_push(&d->cells, cell);
}

/* The same as `keep`, with what is known before the move and does not change. These are many, so
 * only what differs is examined. */
static const struct pv_sym *keep_unchanged(struct pv_value_analysis *v, const struct pv_sym *from,
                                           const struct pv_sym *state, const pv_cells *precision,
                                           struct pv_point at) {
  pv_cells learnt = {0}, open = {0}, cells = {0};
  pv_terms learnt_values = {0}, values = {0};
  struct dropping dropped = {v, at, {0}};
  learn(v, pv_symbolic_added(v->symbolic, from, state), &learnt, &learnt_values);
  pv_symbolic_differences(from, state, &open);
  for (uint32_t i = 0; i < learnt.n; i++) add_to(&open, learnt.at[i]);
  for (uint32_t i = 0; i < open.n; i++) {
    uint32_t cell = open.at[i];
    pv_term old = pv_symbolic_value(v->symbolic, from, cell);
    bool same = old == pv_symbolic_value(v->symbolic, state, cell);
    bool stays = same && pv_symbolic_has_changed(from, cell);
    pv_term t = stays ? old : changed_value(v, state, cell, precision, &learnt, &learnt_values);
    if (t && (is_given_up(v, cell) || pv_symbolic_is_dead(v->symbolic, cell, at))) t = NULL;
    pv_vec_push(&cells, cell);
    pv_vec_push(&values, t);
  }
  pv_symbolic_each(from, drop_cell, &dropped);
  for (uint32_t i = 0; i < dropped.cells.n; i++) {
    if (contains(&open, dropped.cells.at[i])) continue; /* decided above */
    pv_vec_push(&cells, dropped.cells.at[i]);
    pv_vec_push(&values, NULL);
  }
  const struct pv_sym *kept = pv_symbolic_variant(v->symbolic, from, cells.n, cells.at, values.at);
  pv_vec_free(&learnt);
  pv_vec_free(&open);
  pv_vec_free(&cells);
  pv_vec_free(&learnt_values);
  pv_vec_free(&values);
  pv_vec_free(&dropped.cells);
  return kept;
}

/* ---- the beginning ---------------------------------------------------------------------------
 * Until a scheduler chooses among threads, one thread prepares what they need: objects, their
 * names, pointers from one to another. Whatever is known there is kept, also arrays; states are
 * based on the start of the program, and what is not known is marked. Later on, what is known is
 * kept until it changes. So the analysis need not find out, refinement by refinement, what was
 * prepared. */
enum {
  MOST_BEGUN = 1000,          /* values of a cell; after that it is not known */
  MOST_BEGUN_ALL = 200 * 1000 /* of all cells; after that, the beginning is over */
};

/* Of an array, what no global sets at first is arbitrary: the constant for it does not belong to
 * the entry of any block. */
static pv_term from_start(struct pv_value_analysis *v, uint32_t cell, pv_term t) {
  const struct pv_cell *c = pv_symbolic_cell(v->symbolic, cell);
  if (c->sort.kind != PV_SORT_ARRAY) return t;
  bool is_new;
  uint32_t *known = pv_map_put(&v->rebased, &t, sizeof t, v->rebased_terms.n, &is_new);
  if (!is_new) return v->rebased_terms.at[*known];
  char *name = pv_format("%s.initial", pv_smt_name(v->smt, c->entry));
  pv_term entry = c->entry, initial = pv_smt_const(v->smt, name, c->sort);
  free(name);
  pv_vec_push(&v->rebased_terms, pv_smt_substitute(v->smt, t, 1, &entry, &initial));
  return pv_vec_last(&v->rebased_terms);
}

/* Counts the values of a cell. Returns false if there are too many. */
static bool counts(struct pv_value_analysis *v, uint32_t cell, pv_term value) {
  struct {
    pv_term value;
    uint64_t cell;
  } key = {value, cell};
  bool is_new;
  pv_map_put(&v->had, &key, sizeof key, 1, &is_new);
  while (v->begun.n <= cell) pv_vec_push(&v->begun, 0);
  v->begun.at[cell] += is_new;
  return v->begun.at[cell] <= MOST_BEGUN;
}

/* A state at the beginning. */
static const struct pv_sym *keep_begun(struct pv_value_analysis *v, const struct pv_sym *from,
                                       const struct pv_sym *state, struct pv_point at) {
  pv_cells cells = {0}, known = {0}, all = {0};
  pv_terms values = {0}, learnt = {0};
  learn(v, pv_symbolic_added(v->symbolic, from, state), &known, &learnt);
  pv_symbolic_changed(state, &all);
  for (uint32_t i = 0; i < known.n; i++) add_to(&all, known.at[i]);
  for (uint32_t i = 0; i < all.n; i++) {
    uint32_t cell = all.at[i];
    pv_term entry = pv_symbolic_cell(v->symbolic, cell)->entry;
    pv_term t = pv_symbolic_value(v->symbolic, state, cell);
    for (uint32_t k = 0; k < known.n && t == entry; k++)
      if (cell == known.at[k]) t = learnt.at[k];
    bool changed = t != pv_symbolic_value(v->symbolic, from, cell);
    bool marked =
        pv_symbolic_has_changed(from, cell) && pv_symbolic_value(v->symbolic, from, cell) == entry;
    if (!marked) t = from_start(v, cell, t); /* of a marked array, `entry` is not the initial one */
    if (!is_known(v, t) || pv_symbolic_is_dead(v->symbolic, cell, at) ||
        (changed && !counts(v, cell, t)))
      t = entry;
    pv_vec_push(&cells, cell);
    pv_vec_push(&values, t);
  }
  const struct pv_sym *kept = pv_symbolic_state(v->symbolic, true, cells.n, cells.at, values.at);
  pv_vec_free(&cells);
  pv_vec_free(&known);
  pv_vec_free(&all);
  pv_vec_free(&values);
  pv_vec_free(&learnt);
  return kept;
}

/* What is known at the end of the beginning, as a state that is not based on the start. */
static const struct pv_sym *end_beginning(struct pv_value_analysis *v, const struct pv_sym *begun) {
  pv_cells cells = {0};
  pv_terms values = {0};
  pv_symbolic_make_initial(v->symbolic);
  for (uint32_t cell = 0; cell < pv_symbolic_cells(v->symbolic); cell++) {
    pv_term t = pv_symbolic_value(v->symbolic, begun, cell);
    if (t != pv_symbolic_cell(v->symbolic, cell)->entry) t = from_start(v, cell, t);
    if (!is_known(v, t) || is_given_up(v, cell)) continue;
    pv_vec_push(&cells, cell);
    pv_vec_push(&values, t);
  }
  const struct pv_sym *kept = pv_symbolic_state(v->symbolic, false, cells.n, cells.at, values.at);
  pv_vec_free(&cells);
  pv_vec_free(&values);
  return kept;
}

static const struct pv_sym *begin(struct pv_value_analysis *v, const struct pv_sym *from,
                                  const struct pv_sym *state, struct pv_point at) {
  const struct pv_sym *begun = keep_begun(v, from, state, at);
  bool ends = pv_control_is_switch(v->control, at) || v->had.n > MOST_BEGUN_ALL;
  return ends ? end_beginning(v, begun) : begun;
}

static const void *initial(void *self) {
  struct pv_value_analysis *v = self;
  return pv_symbolic_start(v->symbolic);
}

/* Is the value computed, rather than one of several constants? */
static bool is_arithmetic(struct pv_value_analysis *v, pv_term t) {
  struct pv_smt_shape shape;
  if (!pv_smt_shape(v->smt, t, &shape)) return true;
  if (shape.kind == PV_SHAPE_NUMBER || shape.kind == PV_SHAPE_CONSTANT) return false;
  if (shape.kind != PV_SHAPE_OP) return true;
  if (shape.op == PV_SMT_SELECT) return false;
  if (shape.op != PV_SMT_ITE) return pv_smt_sort(v->smt, t).kind != PV_SORT_BOOL;
  return is_arithmetic(v, pv_smt_operand(v->smt, t, 1)) ||
         is_arithmetic(v, pv_smt_operand(v->smt, t, 2));
}

/* Adds the weights of new values. A cell that is only set or copied has at most as many values as
 * the program has constants; a computed one may have a new value in every iteration of a loop. */
static void weigh(struct pv_value_analysis *v, const struct pv_sym *before,
                  const struct pv_sym *after, const struct pv_move *move) {
  pv_cells changed = {0};
  pv_symbolic_differences(before, after, &changed);
  for (uint32_t i = 0; i < changed.n; i++) {
    uint32_t cell = changed.at[i];
    struct {
      pv_term value;
      uint64_t cell;
    } key = {pv_symbolic_value(v->symbolic, after, cell), cell};
    bool is_new;
    if (!pv_symbolic_has_changed(after, cell)) continue;
    if (pv_symbolic_value(v->symbolic, before, cell) == key.value) continue;
    pv_map_put(&v->seen, &key, sizeof key, 1, &is_new);
    if (!is_new) continue;
    while (v->weights.n <= cell) pv_vec_push(&v->weights, 0);
    const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
    const struct pv_sym *next = pv_symbolic_step(v->symbolic, entry, move)->next;
    bool computed = next && is_arithmetic(v, pv_symbolic_value(v->symbolic, next, cell));
    bool before_it = is_given_up(v, cell);
    v->weights.at[cell] += computed ? COMPUTED_WEIGHT : SET_WEIGHT;
    v->gave_up |= !before_it && is_given_up(v, cell);
  }
  pv_vec_free(&changed);
}

static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  struct pv_value_analysis *v = self;
  const struct pv_sym_step *step = pv_symbolic_step(v->symbolic, state, move);
  out->events = step->events;
  out->n_events = v->silent ? 0 : step->n_events;
  if (!step->next) return;
  if (v->begins && pv_symbolic_is_from_start(state)) {
    out->state = begin(v, state, step->next, move->to);
    return;
  }
  out->state = (v->begins ? keep_unchanged : keep)(v, state, step->next, precision_at(v, move->to),
                                                   move->to);
  if (v->most && out->state != state) weigh(v, state, out->state, move);
}

static bool covers(void *self, const void *fresh, const void *reached) {
  struct pv_value_analysis *v = self;
  struct list x = *list_of(v, fresh), y = *list_of(v, reached);
  uint32_t i = 0;
  /* Until the beginning is over, initial values are known, although their cells were not changed.
   */
  if (pv_symbolic_is_from_start(reached) || pv_symbolic_is_from_start(fresh))
    return fresh == reached;
  for (uint32_t k = 0; k < y.n; k++, i++) {
    while (i < x.n && x.cells[i] < y.cells[k]) i++;
    if (i == x.n || x.cells[i] != y.cells[k] || x.values[i] != y.values[k]) return false;
  }
  return true;
}

/* ---- which states may cover which ------------------------------------------------------------ */
/* States that know the same cells cover each other only if they are equal. At one place, states
 * know few different sets of cells; there is one look-up for each set. Sets that were not used for
 * long are dropped, which costs only coverage. */
enum { SETS = 16 };

static pv_sets *sets_at(struct pv_value_analysis *v, struct pv_point at) {
  struct scope key = {pv_control_frame(v->control, at.frame)->function, at.loc};
  bool is_new;
  uint32_t i = *pv_map_put(&v->places, &key, sizeof key, v->sets.n, &is_new);
  if (is_new) pv_vec_push(&v->sets, (pv_sets){0});
  return &v->sets.at[i];
}

static uint32_t add_set(struct pv_value_analysis *v, const struct list *l, struct pv_point at) {
  bool is_new;
  uint32_t number =
      *pv_map_put(&v->set_numbers, l->cells, l->n * sizeof *l->cells, v->n_sets, &is_new);
  v->n_sets += is_new;
  pv_sets *here = sets_at(v, at);
  uint32_t i = 0;
  while (i < here->n && here->at[i].number != number) i++;
  if (i == here->n && here->n < SETS) pv_vec_push(here, (struct known_set){0});
  if (i == here->n) i--;
  memmove(here->at + 1, here->at, i * sizeof *here->at);
  here->at[0] = (struct known_set){number, l->n, l->cells, l->signature};
  return number;
}

/* The key of the state that knows exactly the set's cells with the values in `l`. Returns false if
 * `l` does not know all of them. */
static bool file_key(const struct list *l, const struct known_set *set, pv_terms *out) {
  uint32_t i = 0;
  out->n = 0;
  if (set->signature & ~l->signature) return false;
  pv_vec_push(out, (pv_term)(uintptr_t)set->number);
  for (uint32_t k = 0; k < set->n; k++, i++) {
    while (i < l->n && l->cells[i] < set->cells[k]) i++;
    if (i == l->n || l->cells[i] != set->cells[k]) return false;
    pv_vec_push(out, l->values[i]);
  }
  return true;
}

static uint64_t class_of(void *self, const void *state, struct pv_point at) {
  struct pv_value_analysis *v = self;
  struct list *l = list_of(v, state);
  struct known_set own = {add_set(v, l, at), l->n, l->cells, l->signature};
  if (l->class == UINT32_MAX) {
    pv_terms key = {0};
    file_key(l, &own, &key);
    l->class = *pv_map_put(&v->filed, key.at, key.n * sizeof *key.at, v->filed.n, NULL);
    pv_vec_free(&key);
  }
  return l->class;
}

static void covering(void *self, const void *state, struct pv_point at, pv_classes *out) {
  struct pv_value_analysis *v = self;
  struct list l = *list_of(v, state);
  const pv_sets *sets = sets_at(v, at);
  pv_terms key = {0};
  for (uint32_t i = 0; i < sets->n; i++) {
    if (!file_key(&l, &sets->at[i], &key)) continue;
    const uint32_t *class = pv_map_get(&v->filed, key.at, key.n * sizeof *key.at);
    if (class) pv_vec_push(out, *class);
  }
  pv_vec_free(&key);
}

/* ---- refinement
 * --------------------------------------------------------------------------------------- */

static void need(struct pv_value_analysis *v, pv_term t, pv_cells *needed) {
  pv_terms constants = {0};
  pv_smt_constants(v->smt, t, &constants);
  for (uint32_t i = 0; i < constants.n; i++) {
    uint32_t cell = pv_symbolic_cell_of(v->symbolic, constants.at[i]);
    if (cell != UINT32_MAX) add_to(needed, cell);
  }
  pv_vec_free(&constants);
}

/* A value without a term depends on everything that the step read. */
static void need_reads(const struct pv_sym_step *step, pv_cells *needed) {
  for (uint32_t i = 0; i < step->n_reads; i++) add_to(needed, step->reads[i]);
}

/* Adds what must be known before the move so that the needed cells are known after it. */
static void need_before(struct pv_value_analysis *v, const struct pv_move *move, pv_cells *needed) {
  const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
  const struct pv_sym_step *step = pv_symbolic_step(v->symbolic, entry, move);
  if (!step->next) return;
  pv_cells before = {0};
  for (uint32_t i = 0; i < needed->n; i++) {
    pv_term value = pv_symbolic_value(v->symbolic, step->next, needed->at[i]);
    need(v, value, &before);
    if (value != pv_symbolic_cell(v->symbolic, needed->at[i])->entry) need_reads(step, &before);
  }
  pv_vec_free(needed);
  *needed = before;
}

/* Is the cell's value after the move the one before it, or a part of that? */
static bool comes_through(struct pv_value_analysis *v, const struct pv_move *move, uint32_t cell) {
  const struct pv_cell *c = pv_symbolic_cell(v->symbolic, cell);
  if (c->kind == PV_CELL_VARIABLE &&
      pv_control_instance(v->control, move->frame, c->a, c->instance) == PV_NO_FRAME)
    return false;
  const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
  const struct pv_sym *next = pv_symbolic_step(v->symbolic, entry, move)->next;
  if (!next) return false;
  pv_term value = pv_symbolic_value(v->symbolic, next, cell);
  pv_term before = pv_symbolic_cell(v->symbolic, cell)->entry;
  pv_terms constants = {0};
  bool found = value == before;
  if (!found) pv_smt_constants(v->smt, value, &constants);
  for (uint32_t i = 0; i < constants.n; i++) found |= constants.at[i] == before;
  pv_vec_free(&constants);
  return found;
}

/* Adds a needed cell at all points from which its value may come, on any path: other paths to the
 * same point will need it, too. */
static void spread(struct pv_value_analysis *v, struct pv_point at, uint32_t cell) {
  PV_VEC(struct pv_point) todo = {0};
  pv_moves moves = {0};
  if (v->shares && !is_given_up(v, cell)) add_to(&v->shared, cell);
  if (v->shares) return;
  if (!is_given_up(v, cell) && add_to(precision_at(v, at), cell)) pv_vec_push(&todo, at);
  while (todo.n) {
    moves.n = 0;
    pv_control_moves_to(v->control, pv_vec_pop(&todo), &moves);
    for (uint32_t i = 0; i < moves.n; i++) {
      if (!comes_through(v, &moves.at[i], cell)) continue;
      pv_loc from = pv_move_edge(v->control, &moves.at[i])->from;
      struct pv_point before = {moves.at[i].frame, from, 0};
      if (add_to(precision_at(v, before), cell)) pv_vec_push(&todo, before);
    }
  }
  pv_vec_free(&todo);
  pv_vec_free(&moves);
}

static bool ends_block(const struct pv_value_analysis *v, struct pv_point at) {
  return pv_control_is_switch(v->control, at) || pv_control_is_head(v->control, at);
}

/* Counts the cells that have another value. */
static void count_changes(const struct pv_sym *before, const struct pv_sym *after, pv_cells *out) {
  pv_cells cells = {0};
  pv_symbolic_differences(before, after, &cells);
  for (uint32_t i = 0; i < cells.n; i++) {
    while (out->n <= cells.at[i]) pv_vec_push(out, 0);
    out->at[cells.at[i]]++;
  }
  pv_vec_free(&cells);
}

/* A move of the path that the values exclude. */
struct excluded {
  uint32_t at;     /* the number of the move */
  pv_term failing; /* over the values before it */
};
typedef PV_VEC(struct excluded) excluded_moves;

/* COMPARED: how many of them are compared, the first ones and the last ones. LASTING: what
 * each value of a cell of memory costs, if it has several. Others cost 1: most variables are dead
 * at the ends of blocks. */
enum { COMPARED = 12, LASTING = 16 };

/* Finds what the values exclude, with everything known. The first one, or with `all` also those
 * after it, as if the assumptions excluded before were no part of the path: a sliced prefix (Beyer,
 * Loewe, Wendler, FORTE 2015). *changes: by cell, how often it has another value
 * at the ends of blocks; what it has in between matters less. */
static void find_excluded(struct pv_value_analysis *v, uint32_t n, const struct pv_move *moves,
                          const struct pv_sym_event *event, bool all, excluded_moves *out,
                          pv_cells *changes) {
  const struct pv_sym *state = pv_symbolic_start(v->symbolic), *last = state;
  const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
  for (uint32_t at = 0; at < n; at++) {
    const struct pv_sym_step *step = pv_symbolic_step(v->symbolic, state, &moves[at]);
    const struct pv_sym_step *plain = pv_symbolic_step(v->symbolic, entry, &moves[at]);
    pv_term failing = NULL;
    if (at == n - 1 && event) {
      /* The event is identified by place and message. */
      for (uint32_t i = 0; i < plain->n_events; i++)
        if (!strcmp(plain->events[i].message, event->message)) failing = plain->events[i].when;
      for (uint32_t i = 0; i < step->n_events; i++)
        if (!strcmp(step->events[i].message, event->message)) failing = NULL;
      if (failing) pv_vec_push(out, ((struct excluded){at, failing}));
      return;
    }
    if (step->next) {
      state = keep(v, state, step->next, NULL, moves[at].to);
      if (!all || !ends_block(v, moves[at].to)) continue;
      count_changes(last, state, changes);
      last = state;
      continue;
    }
    failing = plain->next ? pv_symbolic_condition(v->symbolic, plain->next) : NULL;
    if (!failing) return;
    pv_vec_push(out, ((struct excluded){at, failing}));
    if (!all || pv_move_edge(v->control, &moves[at])->op != PV_OP_ASSUME) return;
  }
}

/* The cells that must be known before each move so that this one is excluded: calls `each` for all
 * of them at all points, backwards. */
static void find_needed(struct pv_value_analysis *v, const struct pv_move *moves,
                        const struct excluded *x,
                        void (*each)(struct pv_value_analysis *v, struct pv_point at, uint32_t cell,
                                     void *user),
                        void *user) {
  pv_cells needed = {0};
  need(v, x->failing, &needed);
  need_reads(pv_symbolic_step(v->symbolic, pv_symbolic_entry(v->symbolic), &moves[x->at]), &needed);
  for (uint32_t k = x->at; k-- > 0;) { /* the point after move k */
    for (uint32_t i = 0; i < needed.n; i++) each(v, moves[k].to, needed.at[i], user);
    need_before(v, &moves[k], &needed);
  }
  pv_vec_free(&needed);
}

static void track(struct pv_value_analysis *v, struct pv_point at, uint32_t cell, void *user) {
  (void)user;
  spread(v, at, cell);
}

static void collect(struct pv_value_analysis *v, struct pv_point at, uint32_t cell, void *user) {
  (void)v;
  (void)at;
  add_to(user, cell);
}

static uint64_t cost_of_cell(const struct pv_value_analysis *v, uint32_t cell, uint32_t changes) {
  bool is_variable = pv_symbolic_cell(v->symbolic, cell)->kind == PV_CELL_VARIABLE;
  return changes <= 1 || is_variable ? 1 : LASTING * changes;
}

/* What it costs to know the cells that exclude the move: the values that those which are not
 * tracked yet have on the path. UINT64_MAX: one of them was given up. */
static uint64_t cost_of(struct pv_value_analysis *v, const struct pv_move *moves,
                        const struct excluded *x, const pv_cells *changes) {
  pv_cells cells = {0};
  uint64_t cost = 0;
  find_needed(v, moves, x, collect, &cells);
  for (uint32_t i = 0; i < cells.n && cost < UINT64_MAX; i++) {
    uint32_t cell = cells.at[i], k = 0;
    while (k < v->shared.n && v->shared.at[k] < cell) k++;
    if (is_given_up(v, cell))
      cost = UINT64_MAX;
    else if (k == v->shared.n || v->shared.at[k] != cell)
      cost += cost_of_cell(v, cell, cell < changes->n ? changes->at[cell] : 0);
  }
  pv_vec_free(&cells);
  return cost;
}

/* Refinement selection (Beyer, Loewe, Wendler, SPIN 2015): where precisions are shared, each new
 * cell multiplies the states everywhere. So that move is excluded which needs the fewest. */
bool pv_value_refine(struct pv_value_analysis *v, uint32_t n, const struct pv_move *moves,
                     const struct pv_sym_event *event) {
  excluded_moves all = {0};
  pv_cells changes = {0};
  uint32_t best = 0;
  uint64_t least = UINT64_MAX;
  find_excluded(v, n, moves, event, v->shares, &all, &changes);
  for (uint32_t i = 0; i < all.n && all.n > 1; i++) {
    if (i >= COMPARED / 2 && i + COMPARED / 2 < all.n) continue;
    uint64_t cost = cost_of(v, moves, &all.at[i], &changes);
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  bool found = all.n > 0;
  if (found) find_needed(v, moves, &all.at[best], track, NULL);
  pv_vec_free(&all);
  pv_vec_free(&changes);
  return found;
}

uint32_t pv_value_outdated(struct pv_value_analysis *v, const struct pv_cpa *cpa, uint32_t part,
                           const pv_moves *moves, const pv_cells *nodes) {
  const void *state = initial(v);
  for (uint32_t i = 0; i < nodes->n; i++) {
    struct pv_post post = {0};
    transfer(v, state, &moves->at[i], &post);
    state = post.state;
    if (!state) return i;
    bool passed = i + 1 < nodes->n && nodes->at[i + 1] == nodes->at[i];
    if (!passed && state != pv_cpa_node(cpa, nodes->at[i])->state.part[part]) return i;
  }
  return nodes->n;
}

static uint64_t size(void *self, const void *state) {
  pv_cells cells = {0};
  (void)self;
  pv_symbolic_changed(pv_value_symbolic(state), &cells);
  uint64_t n = cells.n;
  pv_vec_free(&cells);
  return n;
}

/* ---- the whole
 * ---------------------------------------------------------------------------------------- */

struct pv_value_analysis *pv_value_new(struct pv_symbolic *s, struct pv_smt *smt,
                                       struct pv_control *control) {
  struct pv_value_analysis *v = pv_alloc(sizeof *v);
  v->symbolic = s;
  v->smt = smt;
  v->control = control;
  v->analysis = (struct pv_analysis){.name = "value",
                                     .self = v,
                                     .initial = initial,
                                     .transfer = transfer,
                                     .covers = covers,
                                     .class_of = class_of,
                                     .covering = covering,
                                     .size = size};
  return v;
}

void pv_value_free(struct pv_value_analysis *v) {
  if (!v) return;
  for (uint32_t i = 0; i < v->precision.n; i++) pv_vec_free(&v->precision.at[i]);
  pv_vec_free(&v->precision);
  pv_map_free(&v->precisions);
  pv_map_free(&v->seen);
  pv_vec_free(&v->weights);
  pv_vec_free(&v->begun);
  pv_map_free(&v->had);
  pv_map_free(&v->ground);
  pv_map_free(&v->rebased);
  pv_vec_free(&v->rebased_terms);
  pv_vec_free(&v->shared);
  for (uint32_t i = 0; i < v->sets.n; i++) pv_vec_free(&v->sets.at[i]);
  pv_vec_free(&v->sets);
  pv_vec_free(&v->lists);
  pv_map_free(&v->listed);
  pv_map_free(&v->set_numbers);
  pv_map_free(&v->places);
  pv_map_free(&v->filed);
  pv_pool_free(&v->pool);
  free(v);
}

void pv_value_assist(struct pv_value_analysis *v, uint32_t most, uint32_t steering) {
  v->silent = true;
  v->most = most;
  v->most_steering = steering;
}

void pv_value_begin(struct pv_value_analysis *v) {
  v->begins = true;
}

void pv_value_share(struct pv_value_analysis *v) {
  v->shares = true;
}

bool pv_value_gave_up(struct pv_value_analysis *v) {
  bool did = v->gave_up;
  v->gave_up = false;
  return did;
}

const struct pv_analysis *pv_value_analysis(struct pv_value_analysis *v) {
  return &v->analysis;
}
