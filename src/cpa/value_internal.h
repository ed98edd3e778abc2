/* value_internal.h -- shared by value.c (states, coverage), value_arrays.c (arrays known in part)
 * and value_refine.c (which cells are tracked). */
#ifndef PV_VALUE_INTERNAL_H
#define PV_VALUE_INTERNAL_H

#include "cpa/value.h"

struct pv_value_list { /* the cells of a state, sorted, and their values */
  uint32_t n, *cells;
  pv_term *values;
  uint64_t signature; /* a bit for each cell, modulo 64 */
  uint32_t class;     /* UINT32_MAX: not computed yet */
};
struct pv_known_set {
  uint32_t number, n;
  const uint32_t *cells; /* sorted */
  uint64_t signature;
};
typedef PV_VEC(struct pv_known_set) pv_known_sets;

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
  struct pv_map replaced; /* (state, array, cell) -> place in `replaced_terms` */
  pv_terms replaced_terms;
  struct pv_map element_values; /* (value, index, cell) -> nothing; NULL for the value: how many */
  struct pv_map precisions;     /* struct pv_point -> precision */
  PV_VEC(pv_cells) precision;   /* sorted */
  struct pv_pool pool;
  struct pv_map listed; /* state -> number in `lists` */
  PV_VEC(struct pv_value_list) lists;
  struct pv_map set_numbers; /* cells -> number of a set of cells */
  uint32_t n_sets;
  struct pv_map places; /* struct scope -> the sets of cells known in states there */
  PV_VEC(pv_known_sets) sets;
  struct pv_map filed; /* (set number, values) -> number of the state with exactly these values */
};

/* ---- value.c ---- */
/* Adds the cell to a sorted set. false: it was in it. */
bool pv_cells_add(pv_cells *set, uint32_t cell);
/* Is the cell in a sorted set? */
bool pv_cells_contain(const pv_cells *set, uint32_t cell);
/* The cells tracked at a point, sorted. */
pv_cells *pv_value_precision_at(struct pv_value_analysis *v, struct pv_point at);
/* Does the cell have too many values to be tracked explicitly? */
bool pv_value_is_given_up(const struct pv_value_analysis *v, uint32_t cell);
/* Reduces a state to the cells of the precision; NULL: to all that have numbers and may be tracked.
 */
const struct pv_sym *pv_value_keep(struct pv_value_analysis *v, const struct pv_sym *from,
                                   const struct pv_sym *state, const pv_cells *precision,
                                   struct pv_point at);
/* The same for a state that is based on the start of the program: everything that is known. */
const struct pv_sym *pv_value_keep_all(struct pv_value_analysis *v, const struct pv_sym *from,
                                       const struct pv_sym *state, struct pv_point at);
/* A number; or, with pv_value_begin, an array that does not depend on the values at the beginning
 * of the block. It may contain other constants: elements that may have any value. */
bool pv_value_is_known(struct pv_value_analysis *v, pv_term t);
/* As in struct pv_analysis. */
const void *pv_value_initial(void *self);
void pv_value_transfer(void *self, const void *state, const struct pv_move *move,
                       struct pv_post *out);

/* ---- value_arrays.c ---- */
/* An array that does not depend on the values at the beginning of the block, if it does only in
 * elements at known indices: these may have any value, a new constant. Otherwise `array`. For one
 * state `from` before the move, the result is always the same, so a state that is computed again is
 * the same. For another one it is not, since that may have the constant in another cell. */
pv_term pv_value_without_entry(struct pv_value_analysis *v, const struct pv_sym *from,
                               uint32_t cell, pv_term array);
/* The value of a cell that is known at the end of the beginning, for the states after it; the
 * cell's entry: unknown. */
pv_term pv_value_over_entry(struct pv_value_analysis *v, uint32_t cell, pv_term value);
/* What is still known of an array after a move: `before` was known, `after` is its value in terms
 * of that. NULL: nothing. */
pv_term pv_value_array(struct pv_value_analysis *v, uint32_t cell, pv_term before, pv_term after);

#endif
