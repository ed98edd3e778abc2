/* loops.h -- an analysis that bounds the unwinding of loops. Its state is the stack of loops around
 * the point, those of callers included, each with the number of its iterations. A loop that is left
 * is removed from the state, so paths that left after different numbers of iterations can be
 * merged. A tail call (control.h) counts as an iteration of the callee's entry. */
#ifndef PV_LOOPS_H
#define PV_LOOPS_H

#include "cpa/cpa.h"

struct pv_loops;
struct pv_loops *pv_loops_new(const struct pv_program *p, struct pv_control *control,
                              uint32_t bound);
void pv_loops_free(struct pv_loops *l);
const struct pv_analysis *pv_loops_analysis(struct pv_loops *l);
/* A move to a head that was passed `bound` times has no successor. It has an event of kind CUT
 * whose `when` is NULL: it happens whenever the move does. */
void pv_loops_set_bound(struct pv_loops *l, uint32_t bound);
/* The bound of one head, instead of that of all; 0: that of all again. */
void pv_loops_set_bound_of(struct pv_loops *l, struct pv_point head, uint32_t bound);
uint32_t pv_loops_bound_of(const struct pv_loops *l, struct pv_point head);
/* Are iterations counted at the point? A loop head, or the entry of a function that is called by
 * tail calls. */
bool pv_loops_counts(const struct pv_control *c, struct pv_point at);
/* In a state at a loop head: which iteration of this loop it is. */
uint32_t pv_loops_round(const void *state);
/* Does the event come from this analysis? */
bool pv_loops_is_event(const struct pv_loops *l, const struct pv_sym_event *event);

#endif
