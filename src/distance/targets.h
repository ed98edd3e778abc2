/* targets.h -- the locations of errors: targets of directed search.
 *
 * A thread is at a target if the edge before which it is parked leaves that location. There are
 * four kinds of targets (Rungta, Mercer, FMCAD 2006, section IV). The kind determines how distances
 * of threads combine into a distance of the state (estimate.h):
 *
 *  - location: one thread has to reach it, and its next step may show the error
 *    (pv_threads_nearest). These are ERROR edges (failing assertions, reach_error, ERROR labels,
 *    observers). For no-overflow, valid-deref and valid-free: the essential edges of
 *    analysis/slice.h. For def-behavior: its checks, reads of variables without a value, divisions
 *    and shifts by non-constants, conversions that may not fit, code that must not be reached, and
 *    primitives, which may be misused; not reads of memory that was never set. For leaks: the ends
 *    of the program. For invariants: writes to what they read.
 *  - region: two threads have to be in a region at the same time (pv_threads_two). Regions are the
 *    functions and labels of option mutex-region. A thread is in a function if its stack has a
 *    frame of it.
 *  - waits: the threads have to wait for each other (pv_threads_all). `waits` is for guidance:
 *    locks that are acquired while another one may be held, or all locks if there is no such place;
 *    joins, conditions, semaphores, barriers and everything else that may block without a time
 *    limit. `stuck` is for lower bounds: every location where a thread may block or ends. In a
 *    deadlock every live thread blocks.
 *  - races: two threads have to be at conflicting accesses at the same time (pv_threads_two of
 *    `writes` and `accesses`, the minimum over all candidates). A candidate is an object that
 *    several threads can reach, or several objects with the same accesses. Its places are the plain
 *    and atomic accesses that conflict with an access in a thread of a kind that may run
 *    concurrently. Objects and kinds of threads are those of points_to.h and call_graph.h. Unlike
 *    in accesses.h, objects that are never read are included.
 *
 * Only locations in reachable functions; sorted, without duplicates. */
#ifndef PV_DISTANCE_TARGETS_H
#define PV_DISTANCE_TARGETS_H

#include "analysis/call_graph.h"
#include "base/options.h"
#include "distance/graph.h"

struct pv_race_targets {
  pv_place_list writes, accesses; /* writes are among the accesses */
};

struct pv_targets {
  pv_place_list location, region, waits, stuck;
  PV_VEC(struct pv_race_targets) races;
  uint8_t *in_region; /* by function: is the whole function a region? */
};

/* regions: as in ir/exclusion.h. PV_E_INPUT: a region does not exist; *err has a message, and there
 * is nothing to free. Arguments are borrowed during the call. The caller frees *out. */
enum pv_status pv_targets_new(const struct pv_program *p, const struct pv_points_to *pt,
                              const struct pv_call_graph *calls, pv_properties properties,
                              const struct pv_texts *regions, struct pv_targets **out,
                              struct pv_str *err);
void pv_targets_free(struct pv_targets *t); /* NULL is fine */

/* Is a thread with this stack inside of a region? Then its distance is 0. (The places consider only
 * the function of the top frame.) O(n). */
bool pv_targets_inside(const struct pv_targets *t, const struct pv_place_of *stack, uint32_t n);
/* The places as nodes of the program's graph. The caller frees the array. */
uint32_t *pv_targets_nodes(const struct pv_dgraph *g, const pv_place_list *places);
/* All places of all kinds, without duplicates. Free with pv_vec_free. */
pv_place_list pv_targets_all(const struct pv_targets *t);

#endif
