/* auxiliary.h -- auxiliary invariants of cut points, for k-induction: affine equalities, and the
 * largest inductive subset of candidates (bounds by constants of the program, differences of two
 * cells and their parity, parities, and the caller's own candidates).
 *
 * References: symbolic abstraction: Reps, Sagiv, Yorsh, VMCAI 2004; candidates: Flanagan, Leino,
 * "Houdini", FME 2001; their use: Beyer, Dangl, Wendler, CAV 2015. Deviation: invariants are not
 * refined while the induction runs; a caller with more candidates calls again. */
#ifndef PV_AUXILIARY_H
#define PV_AUXILIARY_H

#include "cpa/context.h"

/* The part of a run between two cut points. */
struct pv_segment {
  uint32_t from; /* number of a cut point; PV_FROM_START: the program's start */
  uint32_t to;
  const struct pv_sym *end; /* the symbolic state at `to`, relative to `from`; no event occurred */
};
#define PV_FROM_START UINT32_MAX

/* A violation that a run may meet in its last segment. */
struct pv_segment_event {
  uint32_t from;
  pv_term when; /* over the entry constants at `from` */
};

struct pv_segments {
  PV_VEC(struct pv_point) points;     /* the cut points */
  PV_VEC(struct pv_segment) segments; /* all segments between them, and from the start to them */
  PV_VEC(struct pv_segment_event) violations; /* what they depend on matters, too */
};

struct pv_candidate {
  uint32_t point;
  pv_term formula; /* over entry constants */
};
typedef PV_VEC(struct pv_candidate) pv_candidates;

/* Computes invariants[i], a formula over entry constants for each cut point i. It is inductive: it
 * holds at cut point i if all invariants held at the cut points that the run passed before; `false`
 * means unreachable. Candidates that the solver does not decide, or not within `seconds`, count as
 * refuted. Equalities are found between mathematical integers, or between bit-vectors of one width
 * (modulo a power of two). */
void pv_auxiliary(struct pv_analysis_context *g, const struct pv_segments *s,
                  const pv_candidates *candidates, double seconds, pv_term *invariants);

/* Appends candidates from a run of the value and predicate analyses of at most so many seconds
 * (engine_predicate.c): predicates, their negations, and values of cells. */
void pv_abstraction_candidates(struct pv_analysis_context *g, const struct pv_segments *s,
                               double seconds, pv_candidates *out);

#endif
