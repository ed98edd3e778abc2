/* future.h -- what a thread may still do: an over-approximation of the memory and synchronisation
 * objects that it may access from its current state on. Persistent sets need it ("can still be
 * executed" in Godefroid, LNCS 1032, ch. 4). Deviation: it uses addresses instead of static
 * classes.
 *
 * It is computed for each frame on the call stack, from the frame's location and values. A variable
 * that is not assigned again keeps its value; so an address computed from such variables is known.
 * An array element with an unknown index stands for the whole object. Calls are followed with the
 * values of their arguments. Everything else is all of memory. The result is computed once for each
 * program location and each tuple of relevant values, not for each state.
 *
 * A guard of an operation is a lock that every path to the operation acquires. While the lock is
 * closed (held by a thread that cannot release it before), the operation is unreachable. The first
 * 64 locks of a run can be guards. */
#ifndef PV_FUTURE_H
#define PV_FUTURE_H

#include "analysis/effects.h"
#include "explore/space.h"

struct pv_future;
/* All borrowed. */
struct pv_future *pv_future_new(struct pv_space *space, const struct pv_program *p,
                                const struct pv_sched *sched);
void pv_future_free(struct pv_future *f);

/* An access to the bytes from `low` up to, excluding, `high`. The set of threads and the allocator
 * have pseudo-addresses beyond all memory. */
struct pv_touch {
  uint64_t low, high, guards; /* guards: a set of locks */
  uint16_t effects, own;      /* own: all objects that end with the thread (stack, thread-local) */
  uint32_t zero;              /* no hidden padding: compared as bytes */
};
#define PV_AT_THREADS (UINT64_MAX - 1)
#define PV_AT_HEAP    (UINT64_MAX - 2)
#define PV_MEMORY_END (UINT64_MAX - 2)

/* The accesses of a pending operation. Equal ones are stored once and share a number. */
struct pv_touched {
  uint32_t id, n, unknown; /* unknown: more accesses than fit */
  uint32_t thread;         /* the thread that `own` refers to */
  struct pv_touch at[5];
};
struct pv_pending_effects {
  const struct pv_touched *touched;
  uint64_t lock; /* the bit of the lock that it acquires; 0: none */
  bool joins;    /* it joins a thread */
  bool ends;     /* it ends its thread */
  bool gives;    /* it releases a lock or ends its thread: other threads cannot disable it */
};
/* Describes a pending operation. The result is cached by the pointer p (see pv_moves_next). */
struct pv_pending_effects pv_future_parked(struct pv_future *f, const struct pv_pending *p);

/* The number of the thread's future in the current state. */
uint32_t pv_future_of(struct pv_future *f, unsigned thread);
/* May `thread`, with this future, do something that conflicts with the accesses t (or, if
 * `enabling`, that may enable them) before it acquires one of the closed locks? */
bool pv_future_meets(struct pv_future *f, unsigned thread, uint32_t future,
                     const struct pv_touched *t, bool enabling, uint64_t closed);
/* The locks that a thread with this future may open: those in `opens`, unless one of `guards` is
 * closed. */
enum { PV_OPENINGS = 4 };
struct pv_openings {
  uint32_t n;
  struct {
    uint64_t guards, opens;
  } at[PV_OPENINGS];
};
const struct pv_openings *pv_future_openings(struct pv_future *f, unsigned thread, uint32_t future);

/* The locks that no thread can acquire in the current state. */
uint64_t pv_future_closed(struct pv_future *f);

#endif
