/* loops.h -- how often the loops around a point have been gone round: the component that bounds
 * unwinding. A state is the stack of loops that the point lies in (those of the calling functions
 * outside), each with its count; leaving a loop forgets it, so that paths that left after different
 * numbers of rounds can be merged. Calls of recursive functions count as rounds of their entry. */
#ifndef PV_LOOPS_H
#define PV_LOOPS_H

#include "cpa/cpa.h"

struct pv_loops;
struct pv_loops *pv_loops_new(const struct pv_program *p, struct pv_control *control,
                              uint32_t bound);
void pv_loops_free(struct pv_loops *l);
const struct pv_analysis *pv_loops_analysis(struct pv_loops *l);
/* A move into a head that has been passed `bound` times is an event of kind CUT with `when` NULL
 * (whenever the move happens), and has no successor. */
void pv_loops_set_bound(struct pv_loops *l, uint32_t bound);
/* The place after the event's move; for messages: "x.c:12". */
bool pv_loops_is_event(const struct pv_loops *l, const struct pv_sym_event *event);

#endif
