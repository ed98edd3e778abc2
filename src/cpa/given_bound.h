/* given_bound.h -- the bound of a given condition: an analysis that runs beside the others and
 * tells whether a path may have exceeded it.
 *
 * An execution that has not exceeded the bound where it ends is covered: the earlier run examined
 * it. So an event that ends an execution (all kinds but PV_SYM_WRAP) need not be examined where
 * pv_given_bound_is_within holds for every path to the state. This is sound because errors are
 * judged by finite prefixes: if the event happened there, the earlier run would have met it, and
 * either the error would have been reported or a proviso of the earlier run would tell of it; all
 * assumptions of that run remain in the combined condition. An operation that may wrap around is
 * different. It does not end the execution, and what follows may exceed the bound.
 *
 * States are merged by the larger number, so the analysis distinguishes no paths that were not
 * distinguished without it. It saves solver queries, not states. */
#ifndef PV_GIVEN_BOUND_H
#define PV_GIVEN_BOUND_H

#include "cpa/context.h"

struct pv_given_bound;
/* `loops`: the position of loops.h in the composition, before this analysis. NULL: the task has no
 * given condition that leaves open exactly what exceeds such a bound. */
struct pv_given_bound *pv_given_bound_new(const struct pv_analysis_context *g, uint32_t loops);
void pv_given_bound_free(struct pv_given_bound *b); /* NULL is fine, in all functions */
const struct pv_analysis *pv_given_bound_analysis(struct pv_given_bound *b);
/* Did no path to the state exceed the bound? */
bool pv_given_bound_is_within(const struct pv_given_bound *b, const void *state);
/* The given bound, if the task has one: on the iterations of each loop, or on the visits of all
 * loop heads together (*all). 0: it has none. */
uint32_t pv_given_bound_of(const struct pv_task *task, bool *all);
/* Has it one, or one about inputs (given_inputs.h)? (pv_engine.takes) */
bool pv_given_bound_takes(const struct pv_task *task);

#endif
