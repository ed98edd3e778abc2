/* symbolic.h -- strongest postconditions as *guarded transformers*: the effect of a block, a piece
 * of the program, on the state at its entry. A symbolic state consists of a path condition and the
 * values of all cells that changed. Both are terms over inputs and *entry constants*, which denote
 * the values of cells at the entry. Entry constants are named after their cells in every block. So
 * a transformer does not depend on the path before its block, and exploring a block again yields
 * the identical terms. All steps and merges are memoised.
 *
 * Two states of one block at one program point are merged: the path conditions by disjunction after
 * their common prefix, the values by ite. This is large-block encoding (Beyer et al., FMCAD 2009)
 * without indices, as in bounded model checkers.
 *
 * A path formula is built from transformers by giving every cell a version at each cut between
 * blocks (pv_symbolic_path). */
#ifndef PV_SYMBOLIC_H
#define PV_SYMBOLIC_H

#include "cpa/control.h"
#include "cpa/layout.h"
#include "cpa/values.h"
#include "property/property.h"
#include "smt/encode.h"

struct pv_symbolic;
struct pv_sym; /* a symbolic state; owned by its pv_symbolic, immutable */

struct pv_symbolic_options {
  enum pv_encoding encoding;
  pv_properties properties; /* the properties asked for */
  bool malloc_may_fail, calls_may_fail;
  /* Is a use of an indeterminate value the error, not a read? Matters if def-behavior is asked
   * for. */
  bool follows_unset;
  const struct pv_given_inputs *untried; /* given_inputs.h; NULL: none. Borrowed */
  bool outside; /* `untried` restricts only paths outside of a frontier (pv_move.outside) */
};
/* Borrows everything. */
struct pv_symbolic *pv_symbolic_new(struct pv_smt *smt, const struct pv_program *p,
                                    const struct pv_points_to *pt, struct pv_layout *layout,
                                    struct pv_control *control,
                                    const struct pv_symbolic_options *options);
void pv_symbolic_free(struct pv_symbolic *s);
/* From now on inputs that were tried restrict the paths outside of a given frontier. To be called
 * before the first step. NULL: no longer. Borrows `untried`. */
void pv_symbolic_restrict_outside(struct pv_symbolic *s, const struct pv_given_inputs *untried);

/* ---- cells ----------------------------------------------------------------------------------- */
/* A cell is anything that has a value: a variable in an instance of a function, a cell of a place,
 * the array of a class, and bookkeeping of lifetimes and of the heap. Cells are numbered in the
 * order in which they are first used. */
enum pv_cell_kind {
  PV_CELL_VARIABLE, /* a: function, b: variable */
  PV_CELL_MEMORY,   /* a: cell of the layout */
  PV_CELL_ARRAY,    /* a: class, b: type */
  /* a: place of a slot; b 0: is it alive? 1: has it ended before? 2: did it ever begin? BOOL */
  PV_CELL_ALIVE,
  PV_CELL_EXTENT, /* a: class; array from the start of a heap object to its size; 0: freed */
  PV_CELL_TOP,    /* the lowest heap address that was never allocated */
  PV_CELL_SYNC,   /* a: object of the scheduler (sync.h) */
  PV_CELL_RESULT, /* a: thread; its result */
  PV_CELL_COUNT,  /* a: place of the heap; how many objects it has: always a number */
  PV_CELL_SIZE,   /* a: place of the heap, of an instance; its size */
  PV_CELL_MOST,   /* a: place of the heap, of an instance; its size is at most this number */
  /* Which bits are indeterminate (symbolic_unset.c), of a VARIABLE, a MEMORY cell, an ARRAY. */
  PV_CELL_UNSET_VARIABLE,
  PV_CELL_UNSET_MEMORY,
  PV_CELL_UNSET_ARRAY,
  PV_CELL_FREED,    /* was an object of the heap freed? BOOL */
  PV_CELL_NEW_INPUT /* did some input give a value that was not tried before? (given_inputs.h) BOOL
                     */
};
struct pv_cell {
  enum pv_cell_kind kind;
  uint32_t a, b, instance;
  pv_type type; /* VARIABLE, MEMORY, SYNC, RESULT */
  struct pv_sort sort;
  bool is_signed;  /* LINEAR: is the integer encoded as signed? */
  pv_term entry;   /* its entry constant */
  pv_term initial; /* of an array: its initial value, once it was asked for; else NULL */
};
uint32_t pv_symbolic_cells(const struct pv_symbolic *s);
const struct pv_cell *pv_symbolic_cell(const struct pv_symbolic *s, uint32_t cell);
/* The cell with this entry constant, or UINT32_MAX. */
uint32_t pv_symbolic_cell_of(const struct pv_symbolic *s, pv_term constant);
/* The cell with the kind, a, b and instance of `like`, which may belong to another pv_symbolic. */
uint32_t pv_symbolic_cell_like(struct pv_symbolic *s, const struct pv_cell *like);
/* The same if the cell exists already; else UINT32_MAX. `like` need not make sense. */
uint32_t pv_symbolic_known_cell(const struct pv_symbolic *s, const struct pv_cell *like);
/* Appends the name in source terms: "x", "f::x", "list.head". */
void pv_symbolic_cell_print(const struct pv_symbolic *s, uint32_t cell, struct pv_str *out);

/* ---- addresses ------------------------------------------------------------------------------- */
/* Globals and stack slots get addresses in the order in which these are first needed; so terms
 * depend on that order. To get the same terms in a new pv_symbolic, first ask it for the address of
 * each object in the same order. */
struct pv_sym_object {
  uint32_t place, instance; /* of the layout */
};
uint32_t pv_symbolic_objects(const struct pv_symbolic *s);
struct pv_sym_object pv_symbolic_object(const struct pv_symbolic *s, uint32_t i);
uint64_t pv_symbolic_address(struct pv_symbolic *s, struct pv_sym_object object);

/* ---- states ---------------------------------------------------------------------------------- */
/* The state at the entry of a block: no condition, no changes. */
const struct pv_sym *pv_symbolic_entry(struct pv_symbolic *s);
/* The state at the start of the program: globals have their initial values. */
const struct pv_sym *pv_symbolic_start(struct pv_symbolic *s);

/* The state without a condition in which these cells, in rising order, have these values, and all
 * others those of the entry or of the program's start. Equal arguments give the same state. */
const struct pv_sym *pv_symbolic_state(struct pv_symbolic *s, bool start, uint32_t n,
                                       const uint32_t *cells, const pv_term *values);
/* The state with a further condition. */
const struct pv_sym *pv_symbolic_assuming(struct pv_symbolic *s, const struct pv_sym *state,
                                          pv_term condition);
/* Is the cell a variable that is dead at the point? */
bool pv_symbolic_is_dead(struct pv_symbolic *s, uint32_t cell, struct pv_point at);
/* Does the formula over entry constants contain a dead variable? Merging may choose any value for
 * it (pv_symbolic_merge), so such a formula is not an invariant. */
bool pv_symbolic_speaks_of_dead(struct pv_symbolic *s, pv_term formula, struct pv_point at);
/* May the value of the cell decide between alternatives of calls of the scheduler? So do numbers of
 * threads, and variables of the models that make such calls. */
bool pv_symbolic_steers(struct pv_symbolic *s, uint32_t cell);
typedef PV_VEC(uint32_t) pv_cells;
/* Appends the cells of globals whose initial values may become arguments of an executed scheduler.
 */
void pv_symbolic_steering_globals(struct pv_symbolic *s, pv_cells *out);
/* Makes the cells of all globals that may be written, and of the arrays in which globals are. */
void pv_symbolic_make_initial(struct pv_symbolic *s);
/* Is the state based on the start of the program (pv_symbolic_state)? */
bool pv_symbolic_is_from_start(const struct pv_sym *state);
bool pv_symbolic_has_changed(const struct pv_sym *state, uint32_t cell);
/* Appends the cells that changed in a state, in rising order. */
/* The state without a condition that differs from `base`, which is not based on the start, in these
 * cells; a value of NULL: nothing is known of the cell. Equal states are identical. */
const struct pv_sym *pv_symbolic_variant(struct pv_symbolic *s, const struct pv_sym *base,
                                         uint32_t n, const uint32_t *cells, const pv_term *values);
/* The cells whose values are not the same in both states, sorted. Takes time proportional to their
 * number if one state comes from the other. */
void pv_symbolic_differences(const struct pv_sym *a, const struct pv_sym *b, pv_cells *out);
/* Calls `each` for every cell that pv_symbolic_changed lists, with its value, a pv_term. */
void pv_symbolic_each(const struct pv_sym *state,
                      void (*each)(void *user, uint32_t cell, const void *value), void *user);
void pv_symbolic_changed(const struct pv_sym *state, pv_cells *out);

enum pv_sym_event_kind {
  PV_SYM_VIOLATION, /* of an asked property */
  PV_SYM_WRAP,      /* signed overflow that is assumed not to happen (pv_symbolic_wrap) */
  PV_SYM_CUT        /* the path is not explored further: unmodelled, or undefined behaviour that
                       was not asked for */
};
struct pv_sym_event {
  enum pv_sym_event_kind kind;
  /* Of VIOLATION, and of CUT at undefined behaviour; else PV_PROP_COUNT. */
  enum pv_property property;
  pv_term when;         /* its condition over entry constants and inputs, including the path */
  uint32_t frame, edge; /* where */
  const char *message;  /* owned by the pv_symbolic; of CUT: completes "provided that" */
  /* Not 0: it does not happen if place coarse - 1 is not divided (pv_layout_new_objects). */
  uint32_t coarse;
};
struct pv_sym_step {
  const struct pv_sym *next; /* NULL: no execution continues */
  const struct pv_sym_event *events;
  uint32_t n_events;
  pv_term input; /* of a HAVOC or INDET: its value; NULL otherwise */
  /* Of a LOAD of what may be indeterminate memory, where def-behavior is not asked for: its value.
   */
  pv_term loaded;
  /* Some value has no term in this encoding and was replaced by an arbitrary one. It depends on the
   * cells in `reads`, possibly with duplicates, although no term shows this. */
  bool imprecise;
  const uint32_t *reads;
  uint32_t n_reads;
};
/* Performs one move. The conditions of events include the path so far. Memoised. */
const struct pv_sym_step *pv_symbolic_step(struct pv_symbolic *s, const struct pv_sym *from,
                                           const struct pv_move *move);
/* The value of an argument of a call of the scheduler, by the frame and edge of the move. */
pv_term pv_symbolic_argument(struct pv_symbolic *s, const struct pv_sym *state,
                             const struct pv_move *call, uint32_t i);
/* Is the address of a load or store, by the frame and edge of the move, a number in the state? */
bool pv_symbolic_accessed(struct pv_symbolic *s, const struct pv_sym *state,
                          const struct pv_move *access, uint64_t *address);
/* Merges two states of one block at the same point. */
const struct pv_sym *pv_symbolic_merge(struct pv_symbolic *s, const struct pv_sym *a,
                                       const struct pv_sym *b, struct pv_point at);
/* Does some cell have different constants in the two states? */
bool pv_symbolic_differ(struct pv_symbolic *s, const struct pv_sym *a, const struct pv_sym *b);
/* The path condition; the value of a cell. */
pv_term pv_symbolic_condition(struct pv_symbolic *s, const struct pv_sym *state);
pv_term pv_symbolic_value(struct pv_symbolic *s, const struct pv_sym *state, uint32_t cell);
/* The conjuncts that the step from `from` to `to` added to the path condition. */
pv_term pv_symbolic_added(struct pv_symbolic *s, const struct pv_sym *from,
                          const struct pv_sym *to);
/* The thread of which the term contains own variables, and nothing else; UINT32_MAX: it contains
 * anything else, too, or nothing. */
uint32_t pv_symbolic_owner(struct pv_symbolic *s, pv_term t);
/* Does the term contain entry constants of the two threads' own cells? Is the state the same if
 * these cells change places? */
bool pv_symbolic_mentions(struct pv_symbolic *s, pv_term t, uint32_t a, uint32_t b);
bool pv_symbolic_alike(struct pv_symbolic *s, const struct pv_sym *state, uint32_t a, uint32_t b);
/* Replaces the entry constants in the formula by the values in the state. */
pv_term pv_symbolic_apply(struct pv_symbolic *s, const struct pv_sym *state, pv_term formula);
/* The ranges of the types of all entry constants in the formula: true in every state. */
pv_term pv_symbolic_ranges(struct pv_symbolic *s, pv_term formula);
/* From now on signed overflow at this edge wraps around instead of being assumed not to happen. The
 * caller discards what was reached through the edge (pv_cpa_reconsider). Returns false if it wraps
 * around already. */
bool pv_symbolic_wrap(struct pv_symbolic *s, uint32_t function, uint32_t edge);
bool pv_symbolic_wraps(const struct pv_symbolic *s, uint32_t function, uint32_t edge);
/* Enumerates the edges that wrap around; false if there are no more. */
bool pv_symbolic_wrapped(const struct pv_symbolic *s, uint32_t i, uint32_t *function,
                         uint32_t *edge);

/* What the steps so far have met. */
struct pv_symbolic_met {
  bool heap;          /* allocations */
  uint64_t imprecise; /* steps with values that no term expresses */
  bool scheduler;     /* calls of it */
};
struct pv_symbolic_met pv_symbolic_met(const struct pv_symbolic *s);

/* ---- path formulas --------------------------------------------------------------------------- */
/* A sequence of blocks, and the condition of an event in the last one, or NULL: its end is reached.
 */
struct pv_sym_path {
  uint32_t n;
  const struct pv_sym *const *blocks;
  /* Over entry constants and inputs of the last block; blocks[n - 1] is unused then. */
  pv_term last;
  /* The states in which the blocks start; NULL: not given. With them, an array at the end of a
   * block is a change of the one at its start, without all elements that are known there. */
  const struct pv_sym *const *starts;
};
struct pv_sym_names {
  pv_terms from, to;
};
struct pv_sym_formula {
  pv_terms parts; /* n of them, one for each block */
  /* By block: the names of its entry constants, and of its inputs, in the formula. Includes the
   * entry constants that only later blocks use. */
  PV_VEC(struct pv_sym_names) names;
};
void pv_symbolic_path(struct pv_symbolic *s, const struct pv_sym_path *path,
                      struct pv_sym_formula *out);
/* Translates a formula over the constants at cut k, before block k, to entry constants. */
pv_term pv_symbolic_at_cut(struct pv_symbolic *s, const struct pv_sym_formula *f, uint32_t k,
                           pv_term formula);
void pv_sym_formula_free(struct pv_sym_formula *f);

#endif
