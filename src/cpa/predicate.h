/* predicate.h -- predicate analysis with adjustable-block encoding. Within a block a state is a
 * guarded transformer (symbolic.h). At the end of a block it is abstracted to a Boolean combination
 * of predicates.
 *
 * Reference: Beyer, Keremoglu, Wendler, "Predicate abstraction with adjustable-block encoding",
 * FMCAD 2010; predicates by interpolation: Henzinger, Jhala, Majumdar, McMillan, POPL 2004.
 * Deviation: formulas refer to the entry values of their block instead of indexed variables.
 * Versions are introduced only for the formula of a path. */
#ifndef PV_PREDICATE_H
#define PV_PREDICATE_H

#include "cpa/cpa.h"
#include "cpa/region.h"
#include "smt/abstract.h"
#include "smt/interpolate.h"

/* Where blocks end. */
enum pv_blocks {
  PV_BLOCKS_LOOPS,           /* heads of loops, entries of recursive functions */
  PV_BLOCKS_LOOPS_FUNCTIONS, /* and entries and exits of all functions */
  PV_BLOCKS_SINGLE,          /* after every edge */
  PV_BLOCKS_NEVER            /* the whole run is one block, without abstraction */
};
/* Where a predicate is used that was found at a point: at its location, in its function,
 * everywhere; THREAD: one about the own variables of one thread where this thread stands, another
 * one everywhere (Cimatti, Narasamdya, Roveri, LMCS 2012, section 4.5: the precisions of locations
 * and the global one). */
enum pv_predicate_scope { PV_SCOPE_LOCATION, PV_SCOPE_FUNCTION, PV_SCOPE_GLOBAL, PV_SCOPE_THREAD };

struct pv_initial_predicate { /* in the precision from the beginning */
  uint32_t function;          /* UINT32_MAX: everywhere */
  pv_loc loc;                 /* UINT32_MAX: everywhere in the function */
  pv_term formula;            /* over entry constants; its atoms are the predicates */
};
typedef PV_VEC(struct pv_initial_predicate) pv_initial_predicates;

struct pv_predicate_options {
  enum pv_blocks blocks;
  enum pv_predicate_scope scope;
  bool cartesian;
  bool breadth_first; /* order of blocks */
  uint32_t cubes;     /* the most cubes of one abstraction */
  /* The head of a loop ends a block only when the block comes to it again. */
  bool unrolls;
  bool prunes; /* BLOCKS_NEVER: heads of loops that no execution reaches are left out */
  const pv_initial_predicates *initial; /* NULL: none. Borrowed */
};

struct pv_passed_head { /* a head of a loop inside a block */
  struct pv_point at;
  const struct pv_passed_head *before;
};
struct pv_pred {                      /* an abstract state */
  const struct pv_sym *sym;           /* since the start of the block */
  const struct pv_passed_head *heads; /* option `unrolls` */
  const struct pv_pred *start;        /* of the block: itself for an abstraction state */
  /* abstraction states: */
  pv_region region;
  uint64_t block;               /* number of the block that starts here */
  const struct pv_pred *before; /* the last abstraction state; NULL: the program's start */
  const struct pv_sym *end;     /* of the block between */
  struct pv_point at;
  uint32_t predicates; /* of the precision it was computed with */
};

static inline bool pv_pred_is_abstraction(const struct pv_pred *s) {
  return s->start == s;
}

struct pv_predicates;
struct pv_predicates *pv_predicates_new(struct pv_symbolic *s, struct pv_smt *smt,
                                        struct pv_control *control,
                                        const struct pv_predicate_options *options);
void pv_predicates_free(struct pv_predicates *p);
/* In a composition: `entry` derives from the states of the other parts a state over entry constants
 * that a block starts with. Without it a block starts with the region alone. */
typedef const struct pv_sym *(*pv_block_entry)(const struct pv_composite *all);
void pv_predicates_enter(struct pv_predicates *p, pv_block_entry entry);
const struct pv_analysis *pv_predicates_analysis(struct pv_predicates *p);
/* Makes the initial state any state at the point that satisfies the formula over entry constants.
 * NULL: the program's start again. */
void pv_predicates_begin(struct pv_predicates *p, struct pv_point at, pv_term formula);

/* Is the event possible in the abstract state? */
enum pv_smt_answer pv_predicates_check(struct pv_predicates *p, const struct pv_pred *state,
                                       pv_term when);
/* What is known at the start of the state's block, and a condition over entry constants and inputs,
 * with the ranges of all entry constants in it. */
pv_term pv_predicates_formula(struct pv_predicates *p, const struct pv_pred *state,
                              pv_term condition);
/* Adds the atoms of a formula to the precision at a point. Returns the number of new ones. The
 * second function is the same, but with PV_SCOPE_THREAD they are used everywhere. */
uint32_t pv_predicates_add(struct pv_predicates *p, struct pv_point at, pv_term formula);
uint32_t pv_predicates_add_everywhere(struct pv_predicates *p, struct pv_point at, pv_term formula);
/* Was the abstraction state computed without one of the atoms of the formula? */
bool pv_predicates_lacks(struct pv_predicates *p, const struct pv_pred *state, pv_term formula);
/* Appends the precision at a point. */
void pv_predicates_at(struct pv_predicates *p, struct pv_point at, pv_terms *out);
/* Has the precision at its point grown since the abstraction state was computed? */
bool pv_predicates_outdated(struct pv_predicates *p, const struct pv_pred *state);
/* Would the abstraction state be stronger, computed with the precision that its point has now, from
 * the same state before it? */
bool pv_predicates_would_gain(struct pv_predicates *p, const struct pv_pred *state);
/* The region as a formula over entry constants. */
pv_term pv_predicates_term(struct pv_predicates *p, pv_region region);
struct pv_predicates_stats {
  uint64_t abstractions, cached, inexact, predicates;
};
const struct pv_predicates_stats *pv_predicates_stats(const struct pv_predicates *p);

#endif
