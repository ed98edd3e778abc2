#include "cpa/value_internal.h"

#include <stdlib.h>
#include <string.h>

/* Weights of a new value that is a constant, and of one that was computed: see `weigh`. */
enum { SET_WEIGHT = 1, COMPUTED_WEIGHT = 8 };

/* An abstract state is a pv_sym without a condition whose values are numbers, or arrays that are
 * known in part (value_arrays.c). */
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

pv_cells *pv_value_precision_at(struct pv_value_analysis *v, struct pv_point at) {
  struct scope key = {pv_control_frame(v->control, at.frame)->function, at.loc};
  bool is_new;
  uint32_t i = *pv_map_put(&v->precisions, &key, sizeof key, v->precision.n, &is_new);
  if (is_new) pv_vec_push(&v->precision, (pv_cells){0});
  return &v->precision.at[i];
}

bool pv_cells_add(pv_cells *set, uint32_t cell) {
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
bool pv_value_is_given_up(const struct pv_value_analysis *v, uint32_t cell) {
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
  for (uint32_t i = 0; i < precision->n; i++) pv_cells_add(all, precision->at[i]);
  for (uint32_t i = 0; i < v->shared.n; i++) pv_cells_add(all, v->shared.at[i]);
}

/* At the program's start: adds the cells whose initial values decide, too. */
static void with_globals(struct pv_value_analysis *v, pv_cells *all) {
  pv_cells globals = {0};
  if (pv_control_has_threads(v->control)) pv_symbolic_steering_globals(v->symbolic, &globals);
  for (uint32_t i = 0; i < globals.n; i++) pv_cells_add(all, globals.at[i]);
  pv_vec_free(&globals);
}

bool pv_value_is_known(struct pv_value_analysis *v, pv_term t) {
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
static struct pv_value_list *list_of(struct pv_value_analysis *v, const struct pv_sym *state) {
  bool is_new;
  uint32_t i = *pv_map_put(&v->listed, &state, sizeof state, v->lists.n, &is_new);
  if (!is_new) return &v->lists.at[i];
  pv_cells cells = {0};
  pv_symbolic_changed(state, &cells);
  struct pv_value_list l = {.n = cells.n, .class = UINT32_MAX};
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
const struct pv_sym *pv_value_keep(struct pv_value_analysis *v, const struct pv_sym *from,
                                   const struct pv_sym *state, const pv_cells *precision,
                                   struct pv_point at) {
  pv_cells cells = {0}, known = {0}, all = {0};
  pv_terms values = {0}, learnt = {0};
  bool everything = !precision, threads = pv_control_has_threads(v->control);
  learn(v, pv_symbolic_added(v->symbolic, from, state), &known, &learnt);
  if (everything || threads) {
    pv_symbolic_changed(state, &all);
    for (uint32_t i = 0; i < known.n; i++) pv_cells_add(&all, known.at[i]);
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
    if (!everything && !is_number(v, t) && !(same && pv_value_is_known(v, t))) continue;
    bool given_up = pv_value_is_given_up(v, precision->at[i]);
    if (!pv_value_is_known(v, t) || given_up)
      t = pv_symbolic_cell(v->symbolic, precision->at[i])->entry;
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

bool pv_cells_contain(const pv_cells *set, uint32_t cell) {
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
  if (!pv_symbolic_steers(v->symbolic, cell) && !pv_cells_contain(precision, cell) &&
      !pv_cells_contain(&v->shared, cell))
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
  if (pv_value_is_given_up(d->v, cell) || pv_symbolic_is_dead(d->v->symbolic, cell, d->at))
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
  for (uint32_t i = 0; i < learnt.n; i++) pv_cells_add(&open, learnt.at[i]);
  for (uint32_t i = 0; i < open.n; i++) {
    uint32_t cell = open.at[i];
    pv_term old = pv_symbolic_value(v->symbolic, from, cell);
    bool same = old == pv_symbolic_value(v->symbolic, state, cell);
    bool stays = same && pv_symbolic_has_changed(from, cell);
    pv_term t = stays ? old : changed_value(v, state, cell, precision, &learnt, &learnt_values);
    if (!t && pv_symbolic_has_changed(from, cell))
      t = pv_value_array(v, cell, old, pv_symbolic_value(v->symbolic, state, cell));
    if (t && (pv_value_is_given_up(v, cell) || pv_symbolic_is_dead(v->symbolic, cell, at)))
      t = NULL;
    pv_vec_push(&cells, cell);
    pv_vec_push(&values, t);
  }
  pv_symbolic_each(from, drop_cell, &dropped);
  for (uint32_t i = 0; i < dropped.cells.n; i++) {
    if (pv_cells_contain(&open, dropped.cells.at[i])) continue; /* decided above */
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

/* counted: the values are counted, and are forgotten if there are too many. */
static const struct pv_sym *keep_from_start(struct pv_value_analysis *v, const struct pv_sym *from,
                                            const struct pv_sym *state, struct pv_point at,
                                            bool counted) {
  pv_cells cells = {0}, known = {0}, all = {0};
  pv_terms values = {0}, learnt = {0};
  learn(v, pv_symbolic_added(v->symbolic, from, state), &known, &learnt);
  pv_symbolic_changed(state, &all);
  for (uint32_t i = 0; i < known.n; i++) pv_cells_add(&all, known.at[i]);
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
    if (!pv_value_is_known(v, t)) t = pv_value_without_entry(v, from, cell, t);
    bool many = counted ? changed && !counts(v, cell, t) : pv_value_is_given_up(v, cell);
    if (!pv_value_is_known(v, t) || pv_symbolic_is_dead(v->symbolic, cell, at) || many) t = entry;
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

const struct pv_sym *pv_value_keep_all(struct pv_value_analysis *v, const struct pv_sym *from,
                                       const struct pv_sym *state, struct pv_point at) {
  return keep_from_start(v, from, state, at, false);
}

/* What is known at the end of the beginning, as a state that is not based on the start. */
static const struct pv_sym *end_beginning(struct pv_value_analysis *v, const struct pv_sym *begun) {
  pv_cells cells = {0};
  pv_terms values = {0};
  pv_symbolic_make_initial(v->symbolic);
  for (uint32_t cell = 0; cell < pv_symbolic_cells(v->symbolic); cell++) {
    pv_term t = pv_symbolic_value(v->symbolic, begun, cell);
    if (t != pv_symbolic_cell(v->symbolic, cell)->entry) t = from_start(v, cell, t);
    if (!pv_value_is_known(v, t) || pv_value_is_given_up(v, cell)) continue;
    t = pv_value_over_entry(v, cell, t);
    if (t == pv_symbolic_cell(v->symbolic, cell)->entry) continue;
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
  const struct pv_sym *begun = keep_from_start(v, from, state, at, true);
  bool ends = pv_control_is_switch(v->control, at) || v->had.n > MOST_BEGUN_ALL;
  return ends ? end_beginning(v, begun) : begun;
}

const void *pv_value_initial(void *self) {
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
    if (v->begins && pv_symbolic_cell(v->symbolic, cell)->sort.kind == PV_SORT_ARRAY) continue;
    pv_map_put(&v->seen, &key, sizeof key, 1, &is_new);
    if (!is_new) continue;
    while (v->weights.n <= cell) pv_vec_push(&v->weights, 0);
    const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
    const struct pv_sym *next = pv_symbolic_step(v->symbolic, entry, move)->next;
    bool computed = next && is_arithmetic(v, pv_symbolic_value(v->symbolic, next, cell));
    bool before_it = pv_value_is_given_up(v, cell);
    v->weights.at[cell] += computed ? COMPUTED_WEIGHT : SET_WEIGHT;
    v->gave_up |= !before_it && pv_value_is_given_up(v, cell);
  }
  pv_vec_free(&changed);
}

void pv_value_transfer(void *self, const void *state, const struct pv_move *move,
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
  out->state = (v->begins ? keep_unchanged : pv_value_keep)(
      v, state, step->next, pv_value_precision_at(v, move->to), move->to);
  if (v->most && out->state != state) weigh(v, state, out->state, move);
}

static bool covers(void *self, const void *fresh, const void *reached) {
  struct pv_value_analysis *v = self;
  struct pv_value_list x = *list_of(v, fresh), y = *list_of(v, reached);
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

static pv_known_sets *sets_at(struct pv_value_analysis *v, struct pv_point at) {
  struct scope key = {pv_control_frame(v->control, at.frame)->function, at.loc};
  bool is_new;
  uint32_t i = *pv_map_put(&v->places, &key, sizeof key, v->sets.n, &is_new);
  if (is_new) pv_vec_push(&v->sets, (pv_known_sets){0});
  return &v->sets.at[i];
}

static uint32_t add_set(struct pv_value_analysis *v, const struct pv_value_list *l,
                        struct pv_point at) {
  bool is_new;
  uint32_t number =
      *pv_map_put(&v->set_numbers, l->cells, l->n * sizeof *l->cells, v->n_sets, &is_new);
  v->n_sets += is_new;
  pv_known_sets *here = sets_at(v, at);
  uint32_t i = 0;
  while (i < here->n && here->at[i].number != number) i++;
  if (i == here->n && here->n < SETS) pv_vec_push(here, (struct pv_known_set){0});
  if (i == here->n) i--;
  memmove(here->at + 1, here->at, i * sizeof *here->at);
  here->at[0] = (struct pv_known_set){number, l->n, l->cells, l->signature};
  return number;
}

/* The key of the state that knows exactly the set's cells with the values in `l`. Returns false if
 * `l` does not know all of them. */
static bool file_key(const struct pv_value_list *l, const struct pv_known_set *set, pv_terms *out) {
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
  struct pv_value_list *l = list_of(v, state);
  struct pv_known_set own = {add_set(v, l, at), l->n, l->cells, l->signature};
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
  struct pv_value_list l = *list_of(v, state);
  const pv_known_sets *sets = sets_at(v, at);
  pv_terms key = {0};
  for (uint32_t i = 0; i < sets->n; i++) {
    if (!file_key(&l, &sets->at[i], &key)) continue;
    const uint32_t *class = pv_map_get(&v->filed, key.at, key.n * sizeof *key.at);
    if (class) pv_vec_push(out, *class);
  }
  pv_vec_free(&key);
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
                                     .initial = pv_value_initial,
                                     .transfer = pv_value_transfer,
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
  pv_map_free(&v->replaced);
  pv_vec_free(&v->replaced_terms);
  pv_map_free(&v->element_values);
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
