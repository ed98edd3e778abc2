/* targets.h -- where errors are: the places that a directed search is to bring threads to.
 *
 * A place is a location; a thread is there when the edge before it is one that leaves the location.
 * What brings an error about is of four kinds (Rungta and Mercer, FMCAD 2006, section IV), and so
 * is what the distances of threads say of a state (estimate.h):
 *
 *  - *location*: one thread is to come there, and the step on may show the error
 *    (pv_threads_nearest). ERROR edges (failing assertions, reach_error, ERROR labels; observers);
 *    for no-overflow, valid-deref, valid-free the edges that analysis/slice.h takes for essential;
 *    for def-behavior checks of it, reads of variables without a value, divisions and shifts by
 *    what is no constant, conversions that may not fit, code that must not be reached, and
 *    primitives, which may be misused; for leaks the program's ends; for invariants writes to what
 *    they read. All of def-behavior but reads of memory that was never set.
 *  - *region*: two threads are to be in one at once (pv_threads_two): functions or labels that
 *    option mutex-region names. In a function is who has a frame of it on the stack.
 *  - *waits*: the threads are to wait there for each other (pv_threads_all). `waits` guides: a lock
 *    where another one may be held, or any lock if there is no such place; joins, conditions,
 *    semaphores, barriers and whatever else may block, but for what a time limit ends. `stuck` is
 *    for a lower bound: every place where a thread may block, or ends. In a deadlock every thread
 *    that is alive blocks, and a thread that ended is not alive.
 *  - *races*: two threads are to be at conflicting accesses at once (pv_threads_two of `writes` and
 *    `accesses`, the least over all candidates). A candidate is an object, or several with the same
 *    places, that other threads can reach; its places are those plain or atomic accesses that
 *    another access, in a thread of a kind that may run at the same time, conflicts with. Objects
 *    and kinds of threads are those of points_to.h and call_graph.h. Unlike in accesses.h, objects
 *    that are never read count.
 *
 * Only places in functions that the program may run. Sorted, each once. */
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
  uint8_t *in_region; /* by function: all of it is a region */
};

/* The regions are as in ir/exclusion.h: PV_E_INPUT, with a message and nothing to free, if one is
 * not there. The rest is borrowed until it returns. The caller frees *out.
 */
enum pv_status pv_targets_new(const struct pv_program *p, const struct pv_points_to *pt,
                              const struct pv_call_graph *calls, pv_properties properties,
                              const struct pv_texts *regions, struct pv_targets **out,
                              struct pv_str *err);
void pv_targets_free(struct pv_targets *t); /* NULL is fine */

/* Is the thread with this stack inside of a region? Its distance is 0 then, whatever the places
 * say, which know the top frame's function only. O(n). */
bool pv_targets_inside(const struct pv_targets *t, const struct pv_place_of *stack, uint32_t n);
/* The places as nodes of the program's graph, for fca.h and the others; the caller frees them. */
uint32_t *pv_targets_nodes(const struct pv_dgraph *g, const pv_place_list *places);
/* All places of all kinds, each once; to be freed with pv_vec_free. */
pv_place_list pv_targets_all(const struct pv_targets *t);

#endif
