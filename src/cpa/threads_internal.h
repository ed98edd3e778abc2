/* threads_internal.h -- what the files threads*.c share: crews, and the moves of their threads. One
 * module: threads (positions and moves of several threads), threads_scheduled (calls of an executed
 * scheduler), threads_reduction (which thread may move alone). */
#ifndef PV_CPA_THREADS_INTERNAL_H
#define PV_CPA_THREADS_INTERNAL_H

#include "cpa/control_internal.h"
#include "analysis/places.h"
#include "cpa/future_effects.h"
#include "cpa/sync.h"
#include "cpa/visible.h"

/* MOST: a bound on the threads; the creation of more is a CUT. PREEMPTIVE: the same without an
 * executed scheduler. */
enum { MOST = 56, PREEMPTIVE = 8 };
_Static_assert(PREEMPTIVE <= 32,
               "sets of joinable threads are one word of 32 bits (pv_move.other)");
enum { FREE, ALIVE, ENDED /* and not yet joined */ };

struct crew {
  uint32_t active, atomic; /* number of nested atomic sections of the active thread */
  /* With an executed scheduler: its state, and whether it has just chosen the active thread. */
  uint32_t scheduler, chosen;
  struct member {
    uint8_t status, detached, waits /* enum pv_wait_stage */, zero;
    uint32_t frame; /* that of the active thread; 0 once the crew is interned */
    pv_loc loc;
  } at[MOST];
};
struct pv_threads {
  struct pv_visible *visible;
  enum pv_sync_op *ops;      /* by primitive of the program */
  PV_VEC(struct crew) crews; /* index is `others` - 1 */
  struct pv_map crew_index;
  PV_VEC(struct set {
    uint32_t n;
    uint32_t at[MOST];
  })
  sets; /* index is `beside` - 1 */
  struct pv_map set_index;
  bool follows_waits, finds_deadlocks;
  PV_VEC(struct waiting {
    uint32_t n;
    struct pv_waiting at[MOST];
  })
  waiting; /* index is `waiting` - 1 */
  struct pv_map waiting_index;
  pv_moves own; /* scratch for the moves of one thread */
  /* For partial-order reduction; NULL: it is off. */
  struct pv_future_effects *future_effects;
  struct pv_places *places;
  struct pv_map back; /* (frame, location) -> may it go back before the next switch? */
};
struct turn { /* a move of one thread */
  struct pv_control *c;
  const struct crew *crew; /* before the move */
  uint32_t thread;
  pv_moves *out;
};

/* ---- threads.c ---- */
/* The crew at a program point, with the position of the active thread; and back. */
struct crew pv_threads_crew_at(const struct pv_control *c, struct pv_point at);
struct pv_point pv_threads_point_of(struct pv_control *c, const struct crew *from);
/* Argument i of the call that the move makes. */
pv_expr pv_threads_argument(const struct turn *t, const struct pv_move *m, uint32_t i);
/* The function or constant that the expression denotes in the frame: itself, or the argument passed
 * for a parameter. 0: not known. */
pv_expr pv_threads_fixed(const struct pv_control *c, uint32_t frame, pv_expr e);
/* Does the thread stand where threads may switch? */
bool pv_threads_at_switch(const struct pv_control *c, const struct member *m);
/* The edge of the call at which the thread stands, if that is the only one. */
bool pv_threads_call_of(const struct pv_control *c, const struct member *m, uint32_t *edge);
/* Is the expression (or 0) a constant? Sets *value then. */
bool pv_threads_is_number(const struct pv_control *c, pv_expr e, uint64_t *value);

/* ---- threads_scheduled.c ---- */
/* Adds the moves of a call of the executed scheduler. `after`: the crew with the caller behind it.
 */
void pv_threads_execute(struct turn *t, struct pv_move m, const struct crew *after);
/* With an executed scheduler that is preemptive: adds the move for every thread that may run after
 * it. */
void pv_threads_yield(struct turn *t, struct pv_move m, const struct crew *after);
/* The same: adds the move STUCK or PERHAPS_STUCK if no thread can go on there. */
void pv_threads_stuck(struct pv_control *c, const struct crew *crew, pv_moves *out);

/* ---- threads_reduction.c ---- */
/* The thread that may move alone where any thread could, or MOST. */
uint32_t pv_threads_alone(struct pv_control *c, const struct crew *crew);

#endif
