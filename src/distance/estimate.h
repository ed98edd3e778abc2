/* estimate.h -- from distances of places to those of threads, and of states.
 *
 * Rungta and Mercer, FMCAD 2006: Figure 2 (the run-time stack is unrolled: in each frame the error
 * is met before the frame ends, or the frame ends and the caller goes on) and the end of section IV
 * (threads). The same for every measure: what differs is where the distances of a frame come from
 * (fca.h: e-FCA; efsm.h: EFSM).
 *
 * Deviation: threads need not exist from the beginning. What a thread can do by creating others is
 * kept apart from what it can do itself, since two threads that the same one creates have its steps
 * in common: these are not counted twice. In a program that creates no threads it is the paper's.
 *
 * All of it is a lower bound if the distances of the frames are: transitions of different threads
 * are different transitions. */
#ifndef PV_DISTANCE_ESTIMATE_H
#define PV_DISTANCE_ESTIMATE_H

#include "distance/graph.h"

/* What is known of a place, in the units of the graph's costs. */
struct pv_distance {
  uint32_t end;    /* to the end node of the function; without the step back, `leave` */
  uint32_t error;  /* to the nearest error, before the function's end is passed */
  uint32_t create; /* to the nearest error of a thread yet to be created, steps of that thread
                      included, the creation being before the function's end */
};

/* What is known of a thread: the function's end is out of the way. */
struct pv_estimate {
  uint32_t error, create;
};
#define PV_ESTIMATE_NONE ((struct pv_estimate){PV_DISTANCE_NONE, PV_DISTANCE_NONE})

/* The estimate of the frames from one on down, given that of those below it (NONE for the bottom
 * frame). To be kept by frame where stacks share their lower part. `leave` is the graph's. O(1). */
static inline struct pv_estimate pv_estimate_above(struct pv_distance frame,
                                                   struct pv_estimate below, uint32_t leave) {
  uint32_t out = pv_distance_add(frame.end, leave);
  return (struct pv_estimate){pv_distance_min(frame.error, pv_distance_add(out, below.error)),
                              pv_distance_min(frame.create, pv_distance_add(out, below.create))};
}
/* ... of a whole stack, top frame first. O(n). */
struct pv_estimate pv_estimate_stack(const struct pv_distance *frames, uint32_t n, uint32_t leave);

/* ---- threads: arrays of the n threads that are alive ------------------------------------------
 */
static inline uint32_t pv_estimate_any(struct pv_estimate e) {
  return pv_distance_min(e.error, e.create);
}
/* Some thread is to come to a location: the least. */
uint32_t pv_threads_nearest(const struct pv_estimate *t, uint32_t n);
/* Two threads are to be at once, one at a target that `a` measures, another at one of `b`: the
 * least sum over two threads. For a race, a and b are the two sides of the candidates; for mutual
 * exclusion both are the same array: the sum of the two smallest. */
uint32_t pv_threads_two(const struct pv_estimate *a, const struct pv_estimate *b, uint32_t n);
/* All threads are to be at a target at once (deadlock): the sum of `error`. `absent` stands for a
 * thread that has none: NONE if that rules out the deadlock, a number if it only is a bad sign. */
uint32_t pv_threads_all(const struct pv_estimate *t, uint32_t n, uint32_t absent);

#endif
