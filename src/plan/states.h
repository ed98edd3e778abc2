/* states.h -- the graph of reachable states, for the page of a small run. */
#ifndef PV_PLAN_STATES_H
#define PV_PLAN_STATES_H

#include "engine.h"
#include "report/state_graph.h"

/* Searches the task's program once more with engine `explicit`, for a short time and few states:
 * first all interleavings, and if these are too many, those that partial-order reduction leaves.
 * Fills *out, which the caller clears, and returns true if one of the two came to its end. */
bool pv_plan_states(const struct pv_task *task, struct pv_state_graph *out);

#endif
