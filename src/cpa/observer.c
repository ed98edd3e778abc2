#include "cpa/observer.h"

#include <stdlib.h>
#include <string.h>

/* The variable that currently holds the state of an automaton: between its load and the last branch
 * on it. */
struct loaded {
  uint32_t observer, function, variable, instance; /* observer NONE: no variable does */
};
enum { NONE = UINT32_MAX };

struct pv_observers {
  const struct pv_program *program;
  struct pv_control *control;
  struct pv_analysis analysis;
  uint32_t n;
  /* Interned: the states of the n automata, then a struct loaded. An abstract state is its number +
   * 1. */
  struct pv_map states;
  uint32_t *scratch; /* one entry of this form */
};

/* ---- states ---------------------------------------------------------------------------------- */

static size_t size_of(const struct pv_observers *o) {
  return o->n * sizeof *o->scratch + sizeof(struct loaded);
}

static const void *intern(struct pv_observers *o) {
  uint32_t at = *pv_map_put(&o->states, o->scratch, size_of(o), o->states.n, NULL);
  return (const void *)(uintptr_t)(at + 1);
}

static const uint32_t *values_of(const struct pv_observers *o, const void *state) {
  return o->states.entry[(uintptr_t)state - 1].key;
}

static struct loaded loaded_of(const struct pv_observers *o, const uint32_t *values) {
  struct loaded l;
  memcpy(&l, values + o->n, sizeof l);
  return l;
}

static void set_loaded(struct pv_observers *o, struct loaded l) {
  memcpy(o->scratch + o->n, &l, sizeof l);
}

uint32_t pv_observers_state(const struct pv_observers *o, const void *state, uint32_t n) {
  return values_of(o, state)[n];
}

static const void *initial(void *self) {
  struct pv_observers *o = self;
  for (uint32_t i = 0; i < o->n; i++) {
    const uint8_t *init = o->program->globals.at[o->program->observers.at[i]].init;
    o->scratch[i] = 0;
    for (unsigned k = 0; init && k < 4; k++) o->scratch[i] |= (uint32_t)init[k] << 8 * k;
  }
  set_loaded(o, (struct loaded){.observer = NONE});
  return intern(o);
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* The automaton whose state is stored at the address, or NONE. */
static uint32_t observer_at(const struct pv_observers *o, pv_expr address) {
  const struct pv_expr_node *n = pv_node(o->program, address);
  for (uint32_t i = 0; n->op == PV_X_GLOBAL && i < o->n; i++)
    if (o->program->observers.at[i] == n->lo) return i;
  return NONE;
}

/* Can the branch be taken, given the automaton's state? */
static bool goes(const struct pv_observers *o, const struct pv_edge *e, const uint32_t *values) {
  const struct pv_expr_node *n = pv_node(o->program, e->e[0]);
  if (!e->aux || e->aux > o->n || (n->op != PV_X_EQ && n->op != PV_X_NE)) return true;
  const struct pv_expr_node *a = pv_node(o->program, n->a), *b = pv_node(o->program, n->b);
  const struct pv_expr_node *number = b->op == PV_X_CONST ? b : a;
  if (number->op != PV_X_CONST) return true;
  return (values[e->aux - 1] == number->lo) == (n->op == PV_X_EQ);
}

static void step(struct pv_observers *o, const struct pv_move *move, const struct pv_edge *e) {
  struct loaded l = {.observer = NONE};
  uint32_t at = e->op == PV_OP_LOAD || e->op == PV_OP_STORE ? observer_at(o, e->e[0]) : NONE;
  if (at != NONE && e->op == PV_OP_LOAD) {
    const struct pv_frame *f = pv_control_frame(o->control, move->frame);
    l = (struct loaded){at, f->function, e->dst, f->instance};
  } else if (at != NONE) {
    PV_REQUIRE(pv_node(o->program, e->e[1])->op == PV_X_CONST, "a state is a constant");
    o->scratch[at] = (uint32_t)pv_node(o->program, e->e[1])->lo;
  } else if (e->op == PV_OP_ASSUME && e->aux) {
    l = loaded_of(o, o->scratch);
  }
  set_loaded(o, l);
}

static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  struct pv_observers *o = self;
  const struct pv_edge *e = pv_move_edge(o->control, move);
  const uint32_t *values = values_of(o, state);
  if (move->kind != PV_MOVE_STEP && move->kind != PV_MOVE_CALL && move->kind != PV_MOVE_RETURN)
    return;
  if (e->op == PV_OP_ASSUME && !goes(o, e, values)) return;
  memcpy(o->scratch, values, size_of(o));
  step(o, move, e);
  out->state = intern(o);
}

/* ---- formulas -------------------------------------------------------------------------------- */

static pv_term equals(const struct pv_analysis_context *g, const struct pv_cell *like,
                      uint32_t value) {
  uint32_t at = pv_symbolic_cell_like(g->symbolic, like);
  const struct pv_cell *cell = at == UINT32_MAX ? NULL : pv_symbolic_cell(g->symbolic, at);
  pv_term number;
  if (!cell) return NULL;
  if (cell->sort.kind == PV_SORT_INT)
    number = pv_smt_int(g->smt, value);
  else if (cell->sort.kind == PV_SORT_BV)
    number = pv_smt_number(g->smt, cell->sort, value, 0);
  else
    return NULL;
  return pv_smt_mk2(g->smt, PV_SMT_EQ, cell->entry, number);
}

pv_term pv_observers_term(const struct pv_observers *o, const struct pv_analysis_context *g,
                          const void *state, pv_term formula) {
  const uint32_t *values = values_of(o, state);
  struct loaded l = loaded_of(o, values);
  pv_term all = formula ? formula : pv_smt_bool(g->smt, true);
  for (uint32_t i = 0; i <= o->n; i++) {
    struct pv_cell like = {.kind = PV_CELL_MEMORY, .type = PV_INT(32)};
    uint32_t which = i < o->n ? i : l.observer;
    if (which == NONE) continue;
    uint32_t place = pv_layout_global(g->layout, o->program->observers.at[which]);
    if (i == o->n)
      like = (struct pv_cell){PV_CELL_VARIABLE, l.function, l.variable, l.instance,
                              .type = PV_INT(32)};
    else if (!pv_layout_place(g->layout, place)->cut ||
             !pv_layout_find(g->layout, place, 0, 4, &like.a))
      continue;
    pv_term t = equals(g, &like, values[which]);
    if (t) all = pv_smt_mk2(g->smt, PV_SMT_AND, all, t);
  }
  return all;
}

/* ---- the module as a whole ------------------------------------------------------------------- */

struct pv_observers *pv_observers_new(const struct pv_program *p, struct pv_control *control) {
  if (!p->observers.n) return NULL;
  struct pv_observers *o = pv_alloc(sizeof *o);
  o->program = p;
  o->control = control;
  o->n = p->observers.n;
  o->scratch = pv_alloc(size_of(o));
  o->analysis = (struct pv_analysis){.name = "observers",
                                     .self = o,
                                     .initial = initial,
                                     .transfer = transfer,
                                     .covers = pv_same_covers,
                                     .class_of = pv_same_class};
  return o;
}

void pv_observers_free(struct pv_observers *o) {
  if (!o) return;
  pv_map_free(&o->states);
  free(o->scratch);
  free(o);
}

const struct pv_analysis *pv_observers_analysis(struct pv_observers *o) {
  return &o->analysis;
}
