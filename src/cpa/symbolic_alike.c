/* symbolic_alike.c -- to which thread a cell belongs, and whether a state treats two threads alike.
 */
#include "cpa/symbolic_internal.h"

#include <stdlib.h>

/* The thread to which the cell belongs; 0: main, or none. Heap objects are no cells of their own
 * here. */
static uint32_t thread_of(const struct pv_cell *c) {
  switch (c->kind) {
  case PV_CELL_VARIABLE:
  case PV_CELL_UNSET_VARIABLE:
  case PV_CELL_MEMORY:
  case PV_CELL_UNSET_MEMORY:
  case PV_CELL_ALIVE:
  case PV_CELL_SYNC: return c->instance / PV_INSTANCES;
  case PV_CELL_RESULT: return c->a;
  default: return 0;
  }
}

static bool is_of(const struct pv_cell *c, uint32_t a, uint32_t b) {
  uint32_t thread = thread_of(c);
  return thread && (thread == a || thread == b);
}

bool pv_symbolic_mentions(struct pv_symbolic *s, pv_term t, uint32_t a, uint32_t b) {
  pv_terms constants = {0};
  bool found = false;
  pv_smt_constants(s->smt, t, &constants);
  for (uint32_t i = 0; i < constants.n && !found; i++) {
    uint32_t cell = pv_symbolic_cell_of(s, constants.at[i]);
    found = cell != UINT32_MAX && is_of(s->cells.at[cell], a, b);
  }
  pv_vec_free(&constants);
  return found;
}

/* The cell that is for thread `to` what `cell` is for `from`. */
static uint32_t partner(struct pv_symbolic *s, uint32_t cell, uint32_t from, uint32_t to) {
  struct pv_cell c = *s->cells.at[cell];
  if (c.kind == PV_CELL_RESULT) return pv_sym_cell(s, c.kind, to, c.b, c.instance);
  return pv_sym_cell(s, c.kind, c.a, c.b, c.instance + (to - from) * PV_INSTANCES);
}

bool pv_symbolic_alike(struct pv_symbolic *s, const struct pv_sym *state, uint32_t a, uint32_t b) {
  pv_cells changed = {0};
  bool alike = !s->objects && !pv_symbolic_mentions(s, pv_symbolic_condition(s, state), a, b);
  pv_symbolic_changed(state, &changed);
  for (uint32_t i = 0; i < changed.n && alike; i++) {
    uint32_t cell = changed.at[i], thread = thread_of(s->cells.at[cell]);
    pv_term value = pv_symbolic_value(s, state, cell);
    alike = !pv_symbolic_mentions(s, value, a, b);
    if (!alike || !is_of(s->cells.at[cell], a, b)) continue;
    uint32_t other = partner(s, cell, thread, thread == a ? b : a);
    alike = pv_symbolic_value(s, state, other) == value;
  }
  pv_vec_free(&changed);
  return alike;
}

/* Is it a variable or a slot, rather than something that threads share? */
static bool is_own(const struct pv_symbolic *s, const struct pv_cell *c) {
  if (c->kind == PV_CELL_VARIABLE || c->kind == PV_CELL_UNSET_VARIABLE) return true;
  if (c->kind != PV_CELL_MEMORY && c->kind != PV_CELL_UNSET_MEMORY) return false;
  const struct pv_place_cell *cell = pv_layout_cell(s->layout, c->a);
  return pv_layout_place(s->layout, cell->place)->kind == PV_PLACE_SLOT;
}

uint32_t pv_symbolic_owner(struct pv_symbolic *s, pv_term t) {
  pv_terms constants = {0};
  uint32_t owner = UINT32_MAX;
  bool one = true;
  pv_smt_constants(s->smt, t, &constants);
  for (uint32_t i = 0; i < constants.n && one; i++) {
    uint32_t cell = pv_symbolic_cell_of(s, constants.at[i]);
    one = cell != UINT32_MAX && is_own(s, s->cells.at[cell]);
    if (!one) continue;
    uint32_t thread = thread_of(s->cells.at[cell]);
    one = owner == UINT32_MAX || owner == thread;
    owner = thread;
  }
  pv_vec_free(&constants);
  return one ? owner : UINT32_MAX;
}
