/* symbolic.h -- strongest postconditions as *guarded transformers*: what a piece of program does to
 * the state it was entered with. A symbolic state is a path condition and, for every cell of memory
 * or variable that was changed, its value, both as terms over the values at the entry and over
 * inputs. The entry's values are constants named after their cells, whichever piece it is, so that
 * a transformer does not depend on the path that led to it: exploring a block again gives the
 * identical terms, which cost nothing then (every step and merge is kept).
 *
 * Two states of one block at one program point are merged by case distinction: the path conditions
 * by "or" above their common part, values by ite. This is large-block encoding (Beyer et al., FMCAD
 * 2009) without indices, as bounded model checkers write it.
 *
 * A path formula is made of transformers by giving every cell a version at each cut
 * (pv_symbolic_path). */
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
  pv_properties properties; /* asked for: their violations are errors */
  bool malloc_may_fail, calls_may_fail;
};
/* Borrows everything. */
struct pv_symbolic *pv_symbolic_new(struct pv_smt *smt, const struct pv_program *p,
                                    const struct pv_points_to *pt, struct pv_layout *layout,
                                    struct pv_control *control,
                                    const struct pv_symbolic_options *options);
void pv_symbolic_free(struct pv_symbolic *s);

/* ---- cells ----------------------------------------------------------------------------------- */
/* Whatever has a value: a variable of an instance of a function, a cell of a place, the array of a
 * class, the bookkeeping of lives and of the heap. Numbered as they are met. */
enum pv_cell_kind {
  PV_CELL_VARIABLE, /* a: function, b: variable */
  PV_CELL_MEMORY,   /* a: cell of the layout */
  PV_CELL_ARRAY,    /* a: class, b: type */
  PV_CELL_ALIVE,    /* a: place of a slot; b 0: does it live? 1: did it live before? BOOL */
  PV_CELL_EXTENT,   /* a: class: array from the start of a heap object to its size, 0: ended */
  PV_CELL_TOP,      /* the lowest address that no object of the heap has had yet */
  PV_CELL_SYNC,     /* a: object of the scheduler (sync.h) */
  PV_CELL_RESULT    /* a: thread: what it ended with */
};
struct pv_cell {
  enum pv_cell_kind kind;
  uint32_t a, b, instance;
  pv_type type; /* VARIABLE, MEMORY, SYNC, RESULT */
  struct pv_sort sort;
  bool is_signed; /* LINEAR: which number it is kept as */
  pv_term entry;  /* the constant that stands for its value at the entry */
};
uint32_t pv_symbolic_cells(const struct pv_symbolic *s);
const struct pv_cell *pv_symbolic_cell(const struct pv_symbolic *s, uint32_t cell);
/* The cell whose entry constant this is, or UINT32_MAX. */
uint32_t pv_symbolic_cell_of(const struct pv_symbolic *s, pv_term constant);
/* The cell that is what `like` is (kind, a, b, instance), perhaps in another pv_symbolic. */
uint32_t pv_symbolic_cell_like(struct pv_symbolic *s, const struct pv_cell *like);
/* In source terms: "x", "f::x", "list.head"; appended. */
void pv_symbolic_cell_print(const struct pv_symbolic *s, uint32_t cell, struct pv_str *out);

/* ---- addresses ------------------------------------------------------------------------------- */
/* Globals and stack slots have numbers for addresses, in the order in which they first matter:
 * terms hang on that order. Who wants the same terms in a new pv_symbolic asks there for the
 * address of each object in turn, before anything else. */
struct pv_sym_object {
  uint32_t place, instance; /* of the layout */
};
uint32_t pv_symbolic_objects(const struct pv_symbolic *s);
struct pv_sym_object pv_symbolic_object(const struct pv_symbolic *s, uint32_t i);
uint64_t pv_symbolic_address(struct pv_symbolic *s, struct pv_sym_object object);

/* ---- states ---------------------------------------------------------------------------------- */
/* The entry of a block: nothing is assumed, nothing changed. */
const struct pv_sym *pv_symbolic_entry(struct pv_symbolic *s);
/* The start of the program: globals have their initial values. */
const struct pv_sym *pv_symbolic_start(struct pv_symbolic *s);

/* A state without condition in which these cells (rising) have these values, and all others the
 * entry's, or those of the program's start. The same for the same. */
const struct pv_sym *pv_symbolic_state(struct pv_symbolic *s, bool start, uint32_t n,
                                       const uint32_t *cells, const pv_term *values);
/* The state under a further condition. */
const struct pv_sym *pv_symbolic_assuming(struct pv_symbolic *s, const struct pv_sym *state,
                                          pv_term condition);
/* Is it a variable whose value nobody reads any more behind the point? */
bool pv_symbolic_is_dead(struct pv_symbolic *s, uint32_t cell, struct pv_point at);
/* Does the formula over entries speak of one? What is held of such a value where paths meet is
 * arbitrary (pv_symbolic_merge), so that nothing of it is an invariant. */
bool pv_symbolic_speaks_of_dead(struct pv_symbolic *s, pv_term formula, struct pv_point at);
/* Does what it holds, perhaps, decide between alternatives of calls of the scheduler: numbers of
 * threads, and the variables of the models that make these calls? */
bool pv_symbolic_steers(struct pv_symbolic *s, uint32_t cell);
/* The cells that a state changed, appended in rising order. */
typedef PV_VEC(uint32_t) pv_cells;
void pv_symbolic_changed(const struct pv_sym *state, pv_cells *out);

enum pv_sym_event_kind {
  PV_SYM_VIOLATION, /* of an asked property */
  PV_SYM_WRAP,      /* signed overflow, not asked for, is assumed away (pv_symbolic_wrap) */
  PV_SYM_CUT /* what happens then is not followed: not modelled, or undefined and not asked */
};
struct pv_sym_event {
  enum pv_sym_event_kind kind;
  enum pv_property property; /* VIOLATION; CUT: of undefined behaviour, else PV_PROP_COUNT */
  pv_term when;              /* over entry and inputs, with the path so far: it happens */
  uint32_t frame, edge;      /* where */
  const char *message;       /* owned by the pv_symbolic; CUT: completes "provided that" */
};
struct pv_sym_step {
  const struct pv_sym *next; /* NULL: nothing goes on */
  const struct pv_sym_event *events;
  uint32_t n_events;
  pv_term input; /* of a HAVOC or INDET: its value; NULL otherwise */
  /* There are arbitrary values in it, in the place of what has no term in this encoding. They hang
   * on the cells that were read (only given here, some perhaps twice), though no term shows it. */
  bool imprecise;
  const uint32_t *reads;
  uint32_t n_reads;
};
/* One move. The events' conditions include the path before. O(size of the edge) the first time. */
const struct pv_sym_step *pv_symbolic_step(struct pv_symbolic *s, const struct pv_sym *from,
                                           const struct pv_move *move);
/* Two states at `at` of the same block. */
const struct pv_sym *pv_symbolic_merge(struct pv_symbolic *s, const struct pv_sym *a,
                                       const struct pv_sym *b, struct pv_point at);
/* Is there a cell that has one number in the one and another in the other? */
bool pv_symbolic_differ(struct pv_symbolic *s, const struct pv_sym *a, const struct pv_sym *b);
/* The path condition; the value of a cell. */
pv_term pv_symbolic_condition(struct pv_symbolic *s, const struct pv_sym *state);
pv_term pv_symbolic_value(struct pv_symbolic *s, const struct pv_sym *state, uint32_t cell);
/* What a state's path condition has on top of that of the state it came from by one step. */
pv_term pv_symbolic_added(struct pv_symbolic *s, const struct pv_sym *from,
                          const struct pv_sym *to);
/* A formula over entry constants as it reads over the state's values (for predicates). */
pv_term pv_symbolic_apply(struct pv_symbolic *s, const struct pv_sym *state, pv_term formula);
/* Ranges of the entry constants that occur in the formula: true of every state. */
pv_term pv_symbolic_ranges(struct pv_symbolic *s, pv_term formula);
/* Signed overflow at this edge wraps around from now on, instead of being assumed away; false: it
 * did already. What was reached by way of the edge is to be thrown away (pv_cpa_reconsider). */
bool pv_symbolic_wrap(struct pv_symbolic *s, uint32_t function, uint32_t edge);
bool pv_symbolic_wraps(const struct pv_symbolic *s, uint32_t function, uint32_t edge);
/* The edges of which that was said, in turn; false: there are no more. */
bool pv_symbolic_wrapped(const struct pv_symbolic *s, uint32_t i, uint32_t *function,
                         uint32_t *edge);

/* What the steps made so far came across. */
struct pv_symbolic_met {
  bool unset;         /* reads of memory that may not have been written, block copies */
  bool heap;          /* allocations */
  uint64_t imprecise; /* steps with values that terms do not say: they were left open */
  bool scheduler;     /* calls of it */
};
struct pv_symbolic_met pv_symbolic_met(const struct pv_symbolic *s);

/* ---- path formulas --------------------------------------------------------------------------- */
/* Blocks passed in turn, and what happens at the end (an event's condition in the last block, or
 * NULL: that its end is reached). */
struct pv_sym_path {
  uint32_t n;
  const struct pv_sym *const *blocks;
  pv_term last; /* over entry and inputs of the last block; then blocks[n - 1] is not used */
};
struct pv_sym_names {
  pv_terms from, to;
};
struct pv_sym_formula {
  pv_terms parts; /* n: one a block */
  /* By block: what its entry constants (also those that only later blocks look at) and its inputs
   * are called in its part. */
  PV_VEC(struct pv_sym_names) names;
};
void pv_symbolic_path(struct pv_symbolic *s, const struct pv_sym_path *path,
                      struct pv_sym_formula *out);
/* A formula over the constants at cut k (before block k), over entry constants. */
pv_term pv_symbolic_at_cut(struct pv_symbolic *s, const struct pv_sym_formula *f, uint32_t k,
                           pv_term formula);
void pv_sym_formula_free(struct pv_sym_formula *f);

#endif
