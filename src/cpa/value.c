#include "cpa/value.h"

#include <stdlib.h>
#include <string.h>

struct pv_value_analysis {
  struct pv_symbolic *symbolic;
  struct pv_smt *smt;
  struct pv_control *control;
  struct pv_analysis analysis;
  struct pv_map precisions;   /* struct pv_point -> precision */
  PV_VEC(pv_cells) precision; /* rising */
};

/* An abstract state is a pv_sym without condition that has numbers only. */
const struct pv_sym *pv_value_symbolic(const void *state) {
  return state;
}

/* ---- precisions
 * ----------------------------------------------------------------------------------- */
/* By location and call stack would be too fine; by function and location. */

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
  struct pv_smt_shape shape;
  return pv_smt_shape(v->smt, t, &shape) && shape.kind == PV_SHAPE_NUMBER;
}

/* What a condition that holds says of single cells: x == 5. */
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

/* Keeps of a state what the precision wants. NULL: everything that is a number; then a state of the
 * program's first block stays one, and what is not known is said to be. */
static const struct pv_sym *keep(struct pv_value_analysis *v, const struct pv_sym *from,
                                 const struct pv_sym *state, const pv_cells *precision) {
  pv_cells cells = {0}, known = {0}, all = {0};
  pv_terms values = {0}, learnt = {0};
  learn(v, pv_symbolic_added(v->symbolic, from, state), &known, &learnt);
  if (!precision) {
    pv_symbolic_changed(state, &all);
    for (uint32_t i = 0; i < known.n; i++) add_to(&all, known.at[i]);
    precision = &all;
  }
  for (uint32_t i = 0; i < precision->n; i++) {
    pv_term t = pv_symbolic_value(v->symbolic, state, precision->at[i]);
    /* A value that was learnt of the cell before the move, which left it alone. */
    for (uint32_t k = 0; k < known.n && !is_number(v, t); k++)
      if (t == pv_symbolic_cell(v->symbolic, known.at[k])->entry) t = learnt.at[k];
    if (!is_number(v, t) && precision != &all) continue;
    if (!is_number(v, t)) t = pv_symbolic_cell(v->symbolic, precision->at[i])->entry;
    pv_vec_push(&cells, precision->at[i]);
    pv_vec_push(&values, t);
  }
  const struct pv_sym *kept =
      pv_symbolic_state(v->symbolic, precision == &all, cells.n, cells.at, values.at);
  pv_vec_free(&cells);
  pv_vec_free(&known);
  pv_vec_free(&all);
  pv_vec_free(&values);
  pv_vec_free(&learnt);
  return kept;
}

static const void *initial(void *self) {
  struct pv_value_analysis *v = self;
  return pv_symbolic_start(v->symbolic);
}

static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  struct pv_value_analysis *v = self;
  const struct pv_sym_step *step = pv_symbolic_step(v->symbolic, state, move);
  out->events = step->events;
  out->n_events = step->n_events;
  if (!step->next) return;
  out->state = keep(v, state, step->next, precision_at(v, move->to));
}

static bool covers(void *self, const void *fresh, const void *reached) {
  struct pv_value_analysis *v = self;
  pv_cells cells = {0};
  bool all = true;
  pv_symbolic_changed(reached, &cells);
  for (uint32_t i = 0; i < cells.n && all; i++)
    all = pv_symbolic_value(v->symbolic, fresh, cells.at[i]) ==
          pv_symbolic_value(v->symbolic, reached, cells.at[i]);
  pv_vec_free(&cells);
  return all;
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

/* What has to be known before the move so that the cells needed behind it are known there. */
static void need_before(struct pv_value_analysis *v, const struct pv_move *move, pv_cells *needed) {
  const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
  const struct pv_sym *next = pv_symbolic_step(v->symbolic, entry, move)->next;
  if (!next) return;
  pv_cells before = {0};
  for (uint32_t i = 0; i < needed->n; i++)
    need(v, pv_symbolic_value(v->symbolic, next, needed->at[i]), &before);
  pv_vec_free(needed);
  *needed = before;
}

bool pv_value_refine(struct pv_value_analysis *v, uint32_t n, const struct pv_move *moves,
                     const struct pv_sym_event *event) {
  const struct pv_sym *state = pv_symbolic_start(v->symbolic);
  const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
  uint32_t at = 0;
  pv_term failing = NULL; /* over the values before move `at` */
  for (; at < n && !failing; at++) {
    const struct pv_sym_step *step = pv_symbolic_step(v->symbolic, state, &moves[at]);
    const struct pv_sym_step *plain = pv_symbolic_step(v->symbolic, entry, &moves[at]);
    if (at == n - 1 && event) {
      /* The event's step on its own, by place and message. */
      for (uint32_t i = 0; i < plain->n_events; i++)
        if (!strcmp(plain->events[i].message, event->message)) failing = plain->events[i].when;
      bool possible = false;
      for (uint32_t i = 0; i < step->n_events; i++)
        possible |= !strcmp(step->events[i].message, event->message);
      if (possible || !failing) return false;
    } else if (!step->next) {
      failing = plain->next ? pv_symbolic_condition(v->symbolic, plain->next) : NULL;
      if (!failing) return false;
    } else {
      state = keep(v, state, step->next, NULL);
    }
  }
  if (!failing) return false;
  pv_cells needed = {0};
  need(v, failing, &needed);
  for (uint32_t k = at - 1; k-- > 0;) { /* the point behind move k */
    pv_cells *here = precision_at(v, moves[k].to);
    for (uint32_t i = 0; i < needed.n; i++) add_to(here, needed.at[i]);
    need_before(v, &moves[k], &needed);
  }
  pv_vec_free(&needed);
  return true;
}

/* ---- the whole
 * ---------------------------------------------------------------------------------------- */

struct pv_value_analysis *pv_value_new(struct pv_symbolic *s, struct pv_smt *smt,
                                       struct pv_control *control) {
  struct pv_value_analysis *v = pv_alloc(sizeof *v);
  v->symbolic = s;
  v->smt = smt;
  v->control = control;
  v->analysis = (struct pv_analysis){
      .name = "value", .self = v, .initial = initial, .transfer = transfer, .covers = covers};
  return v;
}

void pv_value_free(struct pv_value_analysis *v) {
  if (!v) return;
  for (uint32_t i = 0; i < v->precision.n; i++) pv_vec_free(&v->precision.at[i]);
  pv_vec_free(&v->precision);
  pv_map_free(&v->precisions);
  free(v);
}

const struct pv_analysis *pv_value_analysis(struct pv_value_analysis *v) {
  return &v->analysis;
}
