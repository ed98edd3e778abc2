/* termination.h -- where a run may stay or end: loops that may go round for ever, operations that
 * may wait or end the run, calls that may not return. Found bottom-up over the calls; functions
 * that call each other may not return.
 *
 * A loop ends for certain if it counts: in every round an integer variable that is set nowhere else
 * in the loop grows (or falls) by a constant, and is compared with a constant or a variable that
 * does not change in the loop, in such a way that the loop is left before or when it would wrap
 * around. Loops of models (the library in models/) are over bytes of finite objects and end, too;
 * what waits there is a primitive. (An endless input of white space to a scanf is not counted.)
 *
 * What is undefined (an access outside of objects, a failing CHECK, an overflow) is not counted as
 * an end: whoever wants to see it asks for it as a property. */
#ifndef PV_TERMINATION_H
#define PV_TERMINATION_H

#include "analysis/call_graph.h"

struct pv_termination;

enum {
  PV_MAY_STOP = 1, /* the run ends there, or an error is shown: STOP, ERROR, the thread's end */
  PV_MAY_STAY = 2  /* for ever: it waits, goes round, calls on and on */
};

/* Both are borrowed. all_loops: none ends for certain, for who is about to change them. */
struct pv_termination *pv_termination_new(const struct pv_program *p,
                                          const struct pv_call_graph *calls, bool all_loops);
void pv_termination_free(struct pv_termination *t); /* NULL is fine */

/* In which ways (PV_MAY_*) a call of the function may not come back. */
unsigned pv_may_not_return(const struct pv_termination *t, uint32_t function);
/* In which ways the operation of that edge may not be gone on from; loops are not counted. */
unsigned pv_may_not_go_on(const struct pv_termination *t, uint32_t function, uint32_t edge);
/* Does a loop begin there that may go round for ever? */
bool pv_may_go_round(const struct pv_termination *t, uint32_t function, pv_loc loc);
/* By location (room for all of the function): 1 where a run may not go on in one of these ways. */
void pv_may_stay(const struct pv_termination *t, uint32_t function, unsigned alternatives,
                 uint8_t *out);

#endif
