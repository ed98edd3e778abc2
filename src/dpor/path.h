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

/* The execution so far, event by event, as a path of such a machine. */
struct pv_follower;
struct pv_follower *pv_follower_new(const struct pv_trace *t); /* in the initial state */
void pv_follower_free(struct pv_follower *f);
/* Executes event number `event`, which comes after those executed before. Returns false if the
 * machine cannot follow, because a path ends; then the follower is of no more use. */
bool pv_follower_do(struct pv_follower *f, uint32_t event);
const pv_choices *pv_follower_path(const struct pv_follower *f); /* so far */
/* The length of the path without the eager operations at the end of the latest event. */
uint32_t pv_follower_settled(const struct pv_follower *f);
/* Is the thread parked there, in the other machine, at this operation? *alternatives: their number,
 * with spurious wake-ups. */
bool pv_follower_is_at(const struct pv_follower *f, unsigned thread, const struct pv_pending *p,
                       unsigned *alternatives);

#endif
