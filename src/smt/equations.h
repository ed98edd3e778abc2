/* equations.h -- simplifies a question about bit-vectors with the equations that it asserts. A SAT
 * solver sees circuits and cannot use the laws of arithmetic; so equations are solved for constants
 * before. Private to src/smt. */
#ifndef PV_SMT_EQUATIONS_H
#define PV_SMT_EQUATIONS_H

#include "smt/smt_internal.h"

/* Looks for conjuncts c = t where c is a constant that does not occur in t. Appends to `out` what
 * the other conjuncts become with t in the place of c, if that is simpler or at least different.
 * They follow from the assertions. Returns false if one is false. Does nothing if the formulas are
 * large.
 */
bool pv_smt_use_equations(struct pv_smt *s, uint32_t n, const pv_term *asserted, pv_terms *out);

#endif
