/* cegar.h -- counterexample-guided abstraction refinement, for every analysis that can refine: runs
 * the reachability algorithm, examines each candidate error, refines, and continues.
 *
 * References: Clarke, Grumberg, Jha, Lu, Veith, CAV 2000; lazily: Henzinger, Jhala, Majumdar,
 * Sutre, POPL 2002. Deviation: events other than violations (an overflow that was assumed not to
 * happen, an unmodelled construct) are examined in the same way after the graph is complete. */
#ifndef PV_CEGAR_H
#define PV_CEGAR_H

#include "cpa/context.h"

struct pv_candidate_error { /* an event at a node of the graph */
  uint32_t node;
  struct pv_move move;
  const struct pv_sym_event *event;
};
enum pv_refinement {
  PV_REFINED,   /* the candidate error and a part of the graph were removed */
  PV_REPORTED,  /* the violation was replayed and is in the result */
  PV_POSSIBLE,  /* the path is feasible in the analysis, but could not be replayed */
  PV_RESTARTED, /* a cell was given up, and the graph discarded; it does not count as one */
  PV_STUCK      /* neither: the refinement failed */
};
struct pv_cegar {
  struct pv_analysis_context *context;
  struct pv_cpa *cpa;
  struct pv_result *result;
  /* Is the event possible in the abstract state of the candidate error's node? */
  enum pv_smt_answer (*check)(void *user, const struct pv_candidate_error *s);
  enum pv_refinement (*refine)(void *user, const struct pv_candidate_error *s);
  void *user;
  uint64_t most; /* the most refinements; 0: no bound */
  /* Overflows wrap around as soon as one is possible, instead of after all else was examined. Then
   * nothing is examined twice, but all predicates must hold with it. */
  bool wraps_early;
  /* private to the module */
  struct pv_candidate_error found;
  PV_VEC(struct pv_candidate_error) later;
  struct pv_map tries; /* struct pv_event_place -> refinements spent on it */
  uint64_t refinements;
  double told; /* when progress was told last (pv_clock) */
};
/* Runs until no candidate error is left or an error is reported (true: the result is complete up to
 * its provisos), or until a limit is hit, including the one on refinements (false). */
bool pv_cegar_run(struct pv_cegar *c);
/* Discards the graph but keeps the precisions. For `refine`, which then returns PV_REFINED. */
void pv_cegar_restart(struct pv_cegar *c);
/* Appends an abstract path to a candidate error: its moves, the last one that of the event, and the
 * nodes between them. A node after several moves that are one edge of the graph (pv_cpa_pass_by) is
 * appended once for each of these. */
void pv_cegar_path(const struct pv_cegar *c, const struct pv_candidate_error *s, pv_moves *moves,
                   pv_cells *nodes);
void pv_cegar_free(struct pv_cegar *c); /* the private members */

#endif
