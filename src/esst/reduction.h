/* reduction.h -- partial-order reduction for cooperative threads: which of the threads that the
 * scheduler may choose are explored. The transitions are *blocks*: what a thread does from the
 * choice of the scheduler until its call waits, or it ends.
 *
 * Reference: Cimatti, Narasamdya, Roveri, "Software Model Checking with Explicit Scheduler and
 * Symbolic Threads", LMCS 2012, section 5; Godefroid, LNCS 1032, 1996. Deviations, because the
 * rules as printed lose errors, and proofs: docs/esst.md. */
#ifndef PV_ESST_REDUCTION_H
#define PV_ESST_REDUCTION_H

#include "cpa/engine_predicate.h"

struct pv_reduction;
/* `sleep`, `persistent`: which of the two reductions. Borrows all. */
struct pv_reduction *pv_reduction_new(const struct pv_composite_parts *parts, bool sleep,
                                      bool persistent);
void pv_reduction_free(struct pv_reduction *r); /* NULL is fine */
/* Its states are the sleep sets: the threads that need not run next. */
const struct pv_analysis *pv_reduction_analysis(struct pv_reduction *r);
/* As pv_argument_source.choose. `self` is the reduction. */
void pv_reduction_choose(void *self, const void *state, uint32_t first, pv_moves *moves);
struct pv_reduction_stats {
  uint64_t choices; /* of the scheduler, among several threads */
  uint64_t reduced; /* where one thread was explored for all */
  uint64_t slept;   /* threads left out because they were asleep */
  uint64_t images;  /* threads left out because one that is alike was examined */
};
const struct pv_reduction_stats *pv_reduction_stats(const struct pv_reduction *r);

#endif
