/* abstract.h -- predicate abstraction: the strongest Boolean combination of predicates (or the
 * strongest conjunction of literals) that a formula implies.
 *
 * Reference: Graf, Saidi, CAV 1997; all-SAT as in Lahiri, Nieuwenhuis, Oliveras, CAV 2006.
 * Deviation: the number of cubes is limited. One cartesian cube covers the rest, so the result is
 * always an over-approximation. */
#ifndef PV_SMT_ABSTRACT_H
#define PV_SMT_ABSTRACT_H

#include "smt/smt.h"

struct pv_abstraction_options {
  uint32_t cubes; /* limit for all-SAT; 0: cartesian only */
};
/* A cube: literal i is +1 (holds), -1 (its negation holds) or 0 (either). */
typedef void (*pv_cube)(void *user, const int8_t *literals);

/* Calls `cube` for every cube of the abstraction of `formula`. `predicates` are formulas over the
 * formula's constants. Returns UNSAT if the formula is unsatisfiable (there are no cubes), SAT if
 * the cubes are complete, or UNKNOWN. After UNKNOWN the disjunction of all cubes is still an
 * over-approximation; at worst it is one cube of zeros. *exact, unless NULL, becomes whether the
 * result is the strongest possible. */
enum pv_smt_answer pv_smt_abstract(struct pv_smt *s, pv_term formula, uint32_t n,
                                   const pv_term *predicates,
                                   const struct pv_abstraction_options *options, pv_cube cube,
                                   void *user, bool *exact);
#endif
