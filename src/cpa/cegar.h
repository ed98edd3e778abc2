/* cegar.h -- counterexample-guided abstraction refinement, for every analysis that can refine: runs
 * the algorithm, looks at what it cannot exclude, refines, and goes on with what is left.
 *
 * References: Clarke, Grumberg, Jha, Lu, Veith, CAV 2000; lazily: Henzinger, Jhala, Majumdar,
 * Sutre, POPL 2002. Deviation: events other than violations (an overflow that was assumed away,
 * something that is not modelled) are looked at after the graph is complete, in the same way. */
#ifndef PV_CEGAR_H
#define PV_CEGAR_H

#include "cpa/context.h"

struct pv_candidate_error { /* an event at a node of the graph */
  uint32_t node;
  struct pv_move move;
  const struct pv_sym_event *event;
};
enum pv_refinement {
  PV_REFINED,  /* part of the graph was removed, with the candidate error */
  PV_REPORTED, /* the machine showed the violation: it is in the result */
  PV_POSSIBLE, /* the path is possible, as far as the analysis can tell, but was not shown */
  PV_STUCK     /* neither possible nor refined: out of means */
};
struct pv_cegar {
  struct pv_analysis_context *context;
  struct pv_cpa *cpa;
  struct pv_result *result;
  /* Does the abstraction at the candidate error's node allow the event? */
  enum pv_smt_answer (*check)(void *user, const struct pv_candidate_error *s);
  enum pv_refinement (*refine)(void *user, const struct pv_candidate_error *s);
  void *user;
  uint64_t most; /* refinements; 0: any number */
  /* kept by the module */
  struct pv_candidate_error found;
  PV_VEC(struct pv_candidate_error) later;
  struct pv_map tries; /* struct pv_event_place -> refinements spent on it */
  uint64_t refinements;
};
/* Until nothing is left, an error is reported (true: the result is complete up to its provisos), or
 * a limit is hit (false), that on refinements among them. */
bool pv_cegar_run(struct pv_cegar *c);
/* Throws the graph away, not what the analyses learnt. For `refine`: then answers PV_REFINED. */
void pv_cegar_restart(struct pv_cegar *c);
/* A way from the start to a candidate error, appended: its moves, the last one that of the event,
 * and the nodes between them. */
void pv_cegar_path(const struct pv_cegar *c, const struct pv_candidate_error *s, pv_moves *moves,
                   pv_cells *nodes);
void pv_cegar_free(struct pv_cegar *c); /* what the module keeps */

#endif
