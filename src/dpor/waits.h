/* waits.h -- can spurious wake-ups make a difference?
 *
 * The search does not explore spurious wake-ups. A spurious round is what a thread does between
 * such a wake-up and its next wait. In most programs it has no effect: `while (!ready) wait(c, m);`
 * reads the same values as before, and waits again. Two conditions are checked in the explored
 * executions:
 *
 * 1. After every wait its round is executed once, and undone. It must only read, lead to the same
 *    wait, and leave the same state.
 * 2. While the thread waits, other threads write memory that the round reads only under the mutex
 *    of the wait. In the same section they must also wake the thread, or the round, executed once
 *    more after the section, must still satisfy 1. No thread signals while several threads wait,
 *    and no other operation is performed on the mutex or the condition variable.
 *
 * Then a round finds the same values as directly after the wait, because otherwise the thread
 * would have been woken. So every execution with spurious wake-ups has an equivalent one
 * without (docs/dpor.md). If the conditions do not hold, the search cannot decide, and a
 * proviso says so. */
#ifndef PV_DPOR_WAITS_H
#define PV_DPOR_WAITS_H

#include "vm/vm.h"

struct pv_trace;

/* A round of a thread after an event. */
struct pv_round {
  /* events: the thread began to wait in `wait`; the round comes after `after`. */
  uint32_t wait, after;
  uint32_t first, n; /* what it reads: a part of `reads` */
  bool idle;         /* it has no effect */
};

/* Facts about the waits of the current execution, and of all executions so far. */
struct pv_waits {
  bool met;                       /* a spurious wake-up was not explored */
  bool doubt;                     /* one might make a difference */
  bool at_all;                    /* ... also in a repetition of the search */
  PV_VEC(struct pv_round) rounds; /* of the current execution */
  PV_VEC(struct pv_pending) reads;
};

void pv_waits_free(struct pv_waits *w);
/* Call it if the thread, parked at this operation, could wake up spuriously now. */
void pv_waits_meet(struct pv_trace *t, unsigned thread, const struct pv_pending *p);
/* Forgets everything, because the search starts again. */
static inline void pv_waits_forget(struct pv_waits *w) {
  w->doubt = w->at_all;
}
/* Call it when the last event is complete. */
void pv_waits_note(struct pv_trace *t);
/* Call it when the last event, which has this number, is undone. */
void pv_waits_undo(struct pv_waits *w, uint32_t event);
/* Call it at the end of an execution, whether it is complete or abandoned. */
void pv_waits_conclude(struct pv_trace *t);

#endif
