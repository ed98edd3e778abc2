/* estimate.h -- from distances of locations to distances of threads and of states.
 *
 * Reference: Rungta, Mercer, FMCAD 2006: Figure 2 (unrolling of the run-time stack: either the
 * error is reached in the frame before it ends, or the frame ends and the caller continues) and the
 * end of section IV (threads). All measures share it; they differ in the distances of a frame
 * (fca.h: e-FCA; efsm.h: EFSM).
 *
 * Deviation: threads may be created during the run. What a thread can achieve by creating other
 * threads is kept apart from what it can achieve itself, because two threads created by the same
 * thread have its steps in common, which must not be counted twice. For programs that create no
 * threads this is the paper's definition.
 *
 * The result is a lower bound if the distances of frames are: transitions of different threads are
 * different transitions. */
#ifndef PV_DISTANCE_ESTIMATE_H
#define PV_DISTANCE_ESTIMATE_H

#include "distance/graph.h"

/* The distances of a location, in units of the graph's costs. */
struct pv_distance {
  uint32_t end;    /* to the end node of the function, not including the return step `leave` */
  uint32_t error;  /* to the nearest error that is reached before the function ends */
  uint32_t create; /* to the nearest error of a thread that is created before the function ends;
                      includes the steps of that thread */
};

/* The distances of a thread, over its whole stack. */
struct pv_estimate {
  uint32_t error, create;
};
#define PV_ESTIMATE_NONE ((struct pv_estimate){PV_DISTANCE_NONE, PV_DISTANCE_NONE})

/* The estimate for a frame and all frames below it, given the estimate for those below (NONE for
 * the bottom frame). `leave` is the graph's. O(1). */
static inline struct pv_estimate pv_estimate_above(struct pv_distance frame,
                                                   struct pv_estimate below, uint32_t leave) {
  uint32_t out = pv_distance_add(frame.end, leave);
  return (struct pv_estimate){pv_distance_min(frame.error, pv_distance_add(out, below.error)),
                              pv_distance_min(frame.create, pv_distance_add(out, below.create))};
}
/* The estimate for a whole stack, top frame first. O(n). */
struct pv_estimate pv_estimate_stack(const struct pv_distance *frames, uint32_t n, uint32_t leave);

/* ---- combining threads: arrays of the n live threads -------------------------------------------
 */
static inline uint32_t pv_estimate_any(struct pv_estimate e) {
  return pv_distance_min(e.error, e.create);
}
/* Some thread has to reach a location: the minimum. */
uint32_t pv_threads_nearest(const struct pv_estimate *t, uint32_t n);
/* Two threads have to be at targets at the same time, one at a target measured by `a`, another one
 * at a target measured by `b`: the minimal sum over pairs of threads. For a race, a and b belong to
 * the two accesses. For mutual exclusion a = b, and the result is the sum of the two smallest. */
uint32_t pv_threads_two(const struct pv_estimate *a, const struct pv_estimate *b, uint32_t n);
/* All threads have to be at targets at the same time (deadlock): the sum of `error`. `absent` is
 * the value for a thread without a target: NONE if that excludes a deadlock, a number if it is only
 * a heuristic penalty. */
uint32_t pv_threads_all(const struct pv_estimate *t, uint32_t n, uint32_t absent);

#endif
