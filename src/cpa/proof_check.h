/* proof_check.h -- a proof (proof.h) in the terms of one symbolic context, and the pass that checks
 * it there. The pass knows nothing of engines: it stands on program points (control.h),
 * transformers (symbolic.h), the algorithm (cpa.h) and a solver.
 *
 * From every cut point that runs come to, beginning with the program's start, the program is
 * followed to the next ones; what is said in proof.h of segments are questions to the solver, each
 * of which has to be unsatisfiable. */
#ifndef PV_PROOF_CHECK_H
#define PV_PROOF_CHECK_H

#include "cpa/context.h"

/* A part of an invariant: these cells have these numbers, and the formula holds. */
struct pv_cut_part {
  pv_cells cells; /* rising */
  pv_terms values;
  pv_term formula;
};
struct pv_cut {
  struct pv_point at;
  PV_VEC(struct pv_cut_part) parts; /* its disjuncts */
  pv_term invariant;                /* their disjunction, over entry constants */
};
struct pv_cuts {
  uint32_t k;
  bool otherwise; /* the invariant of cut points that are not listed */
  PV_VEC(struct pv_cut) at;
  struct pv_map index; /* struct pv_point -> place in `at` */
};
void pv_cuts_free(struct pv_cuts *c);

/* PV_PROOF_CHECKED, or another one and *why, a sentence; the caller frees *why. `granted`: the
 * events that do not happen, by what pv_context_sentence says of them; they are provisos of the
 * result. `checked`: the properties that the result speaks of. */
enum pv_proof_state pv_proof_check(struct pv_analysis_context *g, const struct pv_cuts *cuts,
                                   const struct pv_map *granted, pv_properties checked, char **why);

#endif
