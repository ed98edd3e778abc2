/* invariants.h -- lists the invariants of a proof at loop heads and entries of recursive functions,
 * simplified and in source terms.
 *
 * Reference for the simplification: Dillig, Dillig, Aiken, "Small formulas for large programs:
 * on-line constraint simplification in scalable static analysis", SAS 2010. */
#ifndef PV_INVARIANTS_H
#define PV_INVARIANTS_H

#include "cpa/proof_check.h"

/* Fills out->invariants. */
void pv_invariants_list(struct pv_analysis_context *g, const struct pv_cuts *cuts,
                        struct pv_proof_result *out);

/* Simplifies the formula to an equivalent one without redundant parts, given what holds in every
 * state. The result may be less simple if the formula is large, if the solver does not answer, or
 * after *questions queries; each query decrements *questions. */
pv_term pv_invariants_tidy(struct pv_analysis_context *g, pv_term formula, uint32_t *questions);

#endif
