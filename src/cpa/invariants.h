/* invariants.h -- the invariants of a proof at the heads of loops and the entries of recursive
 * functions, for people: made smaller, in source terms, by place.
 *
 * Reference, for the former: Dillig, Dillig, Aiken, "Small formulas for large programs: on-line
 * constraint simplification in scalable static analysis", SAS 2010. */
#ifndef PV_INVARIANTS_H
#define PV_INVARIANTS_H

#include "cpa/proof_check.h"

/* Fills out->invariants. */
void pv_invariants_list(struct pv_analysis_context *g, const struct pv_cuts *cuts,
                        struct pv_proof_result *out);

/* An equivalent formula of which no part can be left out, under what is true of every state; less
 * than that if it is large, the solver does not know, or *questions to it, which are counted down,
 * are not enough. */
pv_term pv_invariants_tidy(struct pv_analysis_context *g, pv_term formula, uint32_t *questions);

#endif
