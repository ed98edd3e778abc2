/* waits.h -- do spurious wake-ups matter?
 *
 * The search does not explore spurious wake-ups. A spurious round is what a thread does between
 * such a wake-up and its next wait. In most programs it changes nothing: `while (!ready) wait(c,
 * m);` looks at what it has seen before, and waits again. Here two things are looked at in the
 * executions that are explored.
 *
 * 1. Behind every wait its round is executed once, and taken back. It must only read, lead to the
 *    same wait, and leave the same state.
 * 2. Whatever others write of what the round reads, while the thread waits, they write under the
 *    mutex of the wait, in a section in which they also wake the thread, or behind which the round,
 *    executed once more, is still such a round. Nobody signals while several threads wait, and
 * nobody does anything else with the mutex or the condition variable.
 *
 * Then a round finds what it found behind the wait, for else the thread would have been woken, and
 * every execution with spurious wake-ups has an equivalent one without (docs/dpor.md). Otherwise
 * the search cannot tell, and a proviso says so. */
#ifndef PV_DPOR_WAITS_H
#define PV_DPOR_WAITS_H

#include "vm/vm.h"

struct pv_trace;

/* A round of a thread, behind an event. */
struct pv_round {
  uint32_t wait, after; /* events: in which the thread began to wait; the round comes behind it */
  uint32_t first, n;    /* what it reads: a part of `reads` */
  bool idle;            /* it changes nothing */
};

/* What is known of the waits in an execution, and in all executions so far. */
struct pv_waits {
  bool met;                       /* a spurious wake-up was not explored */
  bool doubt;                     /* one might matter */
  bool at_all;                    /* ... in every search of the program */
  PV_VEC(struct pv_round) rounds; /* of the execution */
  PV_VEC(struct pv_pending) reads;
};

void pv_waits_free(struct pv_waits *w);
/* The thread, parked at this operation, could wake up spuriously now. */
void pv_waits_meet(struct pv_trace *t, unsigned thread, const struct pv_pending *p);
/* The search begins anew: what is known is forgotten. */
static inline void pv_waits_forget(struct pv_waits *w) {
  w->doubt = w->at_all;
}
/* To be called when the last event is complete. */
void pv_waits_note(struct pv_trace *t);
/* To be called when the last event, which has this number, is undone. */
void pv_waits_undo(struct pv_waits *w, uint32_t event);
/* To be called when an execution is over, whether it is complete or was abandoned. */
void pv_waits_look(struct pv_trace *t);

#endif
