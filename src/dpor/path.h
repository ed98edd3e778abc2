/* path.h -- converts the current execution into a path for replay: a sequence of choices for a
 * machine that hides no operations and executes none eagerly. */
#ifndef PV_DPOR_PATH_H
#define PV_DPOR_PATH_H

#include "dpor/trace.h"

typedef PV_VEC(struct pv_choice) pv_choices;

/* Replaces *out by the path. If a thread's path ended in an error, that ends the whole path: other
 * failed events, and what happens after them, are left out. thread: the thread whose error the path
 * is to end with, or PV_NO_THREAD. loosely: an allocation happens after a failed event only if it
 * belongs to the same thread or the event allocates or frees; then the path may be infeasible. */
void pv_dpor_path(const struct pv_trace *t, unsigned thread, bool loosely, pv_choices *out);

/* The last event races with `earlier`. Is that a data race? If so, stores the error, and a path to
 * a state in which both threads are parked at the two accesses. Such a state may occur in no
 * explored execution, even though the accesses are adjacent in some execution of the same class. */
bool pv_dpor_data_race(const struct pv_trace *t, uint32_t earlier, pv_choices *out,
                       struct pv_event *error);

#endif
