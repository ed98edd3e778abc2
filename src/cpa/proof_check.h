/* proof_check.h -- checks a proof (proof.h) in a symbolic context of its own. The check is
 * independent of the engines. It uses control states (control.h), transformers (symbolic.h), the
 * reachability algorithm (cpa.h) and a solver.
 *
 * From the program's start and from every reachable cut point, it explores the program up to the
 * next cut points. Each claim of proof.h about segments becomes a query that must be unsatisfiable.
 * Without cut points, it unwinds all loops from the start.
 */
#ifndef PV_PROOF_CHECK_H
#define PV_PROOF_CHECK_H

#include "cpa/context.h"

/* A disjunct of an invariant: these cells have these values, and the formula holds. */
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
  bool unwound;   /* no cut points: loops are followed to their ends */
  uint64_t most;  /* then: a bound on the steps */
  bool otherwise; /* the invariant of cut points that are not listed */
  PV_VEC(struct pv_cut) at;
  struct pv_map index; /* struct pv_point -> place in `at` */
};
void pv_cuts_free(struct pv_cuts *c);

/* Returns PV_PROOF_CHECKED, or another state with a sentence in *why, which the caller frees.
 * `granted`: the events that are provisos of the result, by pv_context_sentence. `checked`: the
 * properties that the result covers. */
enum pv_proof_state pv_proof_check(struct pv_analysis_context *g, const struct pv_cuts *cuts,
                                   const struct pv_map *granted, pv_properties checked, char **why);

#endif
