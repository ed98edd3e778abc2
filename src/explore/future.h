/* future.h -- what a thread may still do: which memory, which synchronisation objects, and what it
 * has to go through before. The "can still be executed" half of persistent sets (Godefroid, LNCS
 * 1032, ch. 4), with addresses instead of static classes.
 *
 * Found out for each frame of its stack from where it is, by the values that the frame holds: a
 * variable that is not assigned again keeps its value, so that an address made of such variables is
 * known; an element of an array with an unknown index is the whole object; calls are followed with
 * the values of their arguments. What cannot be known is all of memory. Computed once for each
 * program point and each set of values that matter there, not once a state.
 *
 * A lock that every way to an operation takes is a *guard* of it: while the lock is closed the
 * operation is out of reach. Guards of the first 64 locks that come up are kept. */
#ifndef PV_FUTURE_H
#define PV_FUTURE_H

#include "analysis/effects.h"
#include "explore/space.h"

struct pv_future;
/* All borrowed. */
struct pv_future *pv_future_new(struct pv_space *space, const struct pv_program *p,
                                const struct pv_sched *sched);
void pv_future_free(struct pv_future *f);

/* A piece of what there is: bytes from `low` up to `high`. The set of threads and the allocator are
 * places of their own past all memory. */
struct pv_touch {
  uint64_t low, high, guards; /* guards: bit: lock */
  uint16_t effects,
      own;       /* own: what ends with the thread (stack, thread-local), wherever it lies */
  uint32_t zero; /* no hidden padding: compared as bytes */
};
#define PV_AT_THREADS (UINT64_MAX - 1)
#define PV_AT_HEAP    (UINT64_MAX - 2)
#define PV_MEMORY_END (UINT64_MAX - 2)

/* What a thread is parked at touches: so many pieces. They are numbered, equal ones alike. */
struct pv_touched {
  uint32_t id, n, unknown; /* unknown: too much to say */
  uint32_t thread;         /* whose own */
  struct pv_touch at[4];
};
struct pv_parked {
  const struct pv_touched *touched;
  uint64_t lock; /* the bit of the lock that it takes; 0: none */
  bool joins;    /* a thread */
  bool ends;     /* its thread */
  bool gives;    /* a lock back, or ends: nothing that others do keeps it from that */
};
/* What is found out about a pending operation, which must stay where it is (pv_moves_next). */
struct pv_parked pv_future_parked(struct pv_future *f, const struct pv_pending *p);

/* The number of the thread's future in the state at hand. */
uint32_t pv_future_of(struct pv_future *f, unsigned thread);
/* May `thread`, with this future, have one of the effects on what is touched before it goes through
 * a closed lock? By effects that conflict with it, or that may enable it. */
bool pv_future_meets(struct pv_future *f, unsigned thread, uint32_t future,
                     const struct pv_touched *t, bool enabling, uint64_t closed);
/* Which locks a thread with this future may open: those in `opens` unless one of the guards is
 * closed. */
enum { PV_OPENINGS = 4 };
struct pv_openings {
  uint32_t n;
  struct {
    uint64_t guards, opens;
  } at[PV_OPENINGS];
};
const struct pv_openings *pv_future_openings(struct pv_future *f, unsigned thread, uint32_t future);

/* The locks that nobody can take in the state at hand. */
uint64_t pv_future_closed(struct pv_future *f);

#endif
