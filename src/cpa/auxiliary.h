/* auxiliary.h -- auxiliary invariants of cut points, for engines that need an induction hypothesis
 * and have no abstraction that finds one: affine equalities, and the strongest inductive
 * conjunction of candidates (bounds by constants of the program, differences of two cells,
 * parities, and whatever the caller has).
 *
 * References: symbolic abstraction: Reps, Sagiv, Yorsh, VMCAI 2004; candidates: Flanagan, Leino,
 * "Houdini", FME 2001; their use: Beyer, Dangl, Wendler, CAV 2015. Deviation: nothing is refined
 * while the induction runs; who has more candidates asks again. */
#ifndef PV_AUXILIARY_H
#define PV_AUXILIARY_H

#include "cpa/context.h"

/* What a run does between two cut points. */
struct pv_segment {
  uint32_t from; /* number of a cut point; PV_FROM_START: the program's start */
  uint32_t to;
  const struct pv_sym *end; /* since the cut point it began at; in it nothing has happened that an
                               event tells of */
};
#define PV_FROM_START UINT32_MAX

struct pv_segments {
  PV_VEC(struct pv_point) points;     /* the cut points */
  PV_VEC(struct pv_segment) segments; /* all segments between them, and from the start to them */
};

struct pv_candidate {
  uint32_t point;
  pv_term formula; /* over entry constants */
};
typedef PV_VEC(struct pv_candidate) pv_candidates;

/* invariants[i], over entry constants, holds whenever a run reaches cut point i by way of the
 * segments, if it did so at all cut points before: `false` where none reaches it. What the solver
 * does not answer, or not within `seconds`, counts as refuted. Equalities are
 * found between mathematical integers only. */
void pv_auxiliary(struct pv_analysis_context *g, const struct pv_segments *s,
                  const pv_candidates *candidates, double seconds, pv_term *invariants);

/* Candidates from a run of the value and predicate analyses of so many seconds, finished or not
 * (engine_predicate.c): predicates and their negations, values of cells. Appended. */
void pv_abstraction_candidates(struct pv_analysis_context *g, const struct pv_segments *s,
                               double seconds, pv_candidates *out);

#endif
