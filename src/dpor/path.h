/* path.h -- the execution at hand as choices of a machine that hides nothing and is not observed,
 * as everybody else has them. */
#ifndef PV_DPOR_PATH_H
#define PV_DPOR_PATH_H

#include "dpor/trace.h"

typedef PV_VEC(struct pv_choice) pv_choices;

/* Instead of what was there. Of the others that failed, and what came after them, nothing is done:
 * the end of one thread's path is that of all. thread: whose path the error ends, or PV_NO_THREAD.
 * loosely: an allocation comes after a failed event only if it is the same thread's, or that frees
 * or allocates. The path may then be none. */
void pv_dpor_path(const struct pv_trace *t, unsigned thread, bool loosely, pv_choices *out);

/* Two events race, the later one being the last. Is that a data race? Then the path to where both
 * threads are parked at them, and the error. Neighbours in some execution of the class need not be
 * parked side by side in the one at hand, nor in that in which they come the other way round. */
bool pv_dpor_data_race(const struct pv_trace *t, uint32_t earlier, pv_choices *out,
                       struct pv_event *error);

#endif
