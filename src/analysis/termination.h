/* termination.h -- where a run may stay or end: loops that may not terminate, operations that may
 * wait or end the run, calls that may not return. Computed bottom-up over the call graph. A
 * recursive function may not return.
 *
 * A loop certainly terminates if it counts: in every round an integer variable, which is set
 * nowhere else in the loop, grows (or falls) by a constant, and the loop compares it with a
 * constant or with a variable that does not change in the loop, such that the loop exits before or
 * when it would wrap around. Loops of models (the library in models/) iterate over bytes of finite
 * objects and terminate, too; where models wait, there is a primitive. (An infinite input of white
 * space to scanf is ignored.)
 *
 * Undefined operations (an access outside of objects, a failing CHECK, an overflow) do not count as
 * an end. A client that wants to see them asks for them as a property. */
#ifndef PV_TERMINATION_H
#define PV_TERMINATION_H

#include "analysis/call_graph.h"

struct pv_termination;

enum {
  PV_MAY_STOP = 1, /* the run ends, or an error occurs: STOP, ERROR, the end of the thread */
  PV_MAY_STAY = 2  /* it may stay for ever: it waits, loops, or recurses */
};

/* Both are borrowed. all_loops: assume of no loop that it terminates. */
struct pv_termination *pv_termination_new(const struct pv_program *p,
                                          const struct pv_call_graph *calls, bool all_loops);
void pv_termination_free(struct pv_termination *t); /* NULL is fine */

/* Why a call of the function may not return (PV_MAY_*). */
unsigned pv_may_not_return(const struct pv_termination *t, uint32_t function);
/* Why a run may not continue after the edge (PV_MAY_*). Loops do not count. */
unsigned pv_may_not_go_on(const struct pv_termination *t, uint32_t function, uint32_t edge);
/* Is the location the head of a loop that may not terminate? */
bool pv_may_go_round(const struct pv_termination *t, uint32_t function, pv_loc loc);
/* Sets out[loc] to 1 if a run may not continue at loc for one of the reasons (PV_MAY_*); else 0. */
void pv_may_stay(const struct pv_termination *t, uint32_t function, unsigned reasons, uint8_t *out);

#endif
