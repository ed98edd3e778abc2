/* call_graph.h -- which functions run, which functions call each other, and in which threads.
 *
 * Indirect calls lead to the functions in their points-to sets. An operation that creates threads
 * leads to the bottom function of threads. A kind of thread is a creating operation in the
 * program's own code together with the start function, or the program's start. There may be any
 * number of threads of a kind, except of the program's start. */
#ifndef PV_CALL_GRAPH_H
#define PV_CALL_GRAPH_H

#include "analysis/points_to.h"

struct pv_call_graph;

/* Both arguments are borrowed. */
struct pv_call_graph *pv_call_graph_new(const struct pv_program *p, const struct pv_points_to *pt);
void pv_call_graph_free(struct pv_call_graph *c); /* NULL is fine */

/* Is the function reachable from the program's start (or from an invariant)? */
bool pv_call_graph_runs(const struct pv_call_graph *c, uint32_t function);
/* The possible callees of a CALL edge, or the start functions of a PRIM edge that creates a thread,
 * in ascending order. Empty for other edges, and for calls without a target. Borrowed; equal lists
 * are shared. O(log calls). */
const uint32_t *pv_call_graph_callees(const struct pv_call_graph *c, uint32_t function,
                                      uint32_t edge, uint32_t *n);
/* Is the edge a primitive that creates a thread? */
bool pv_creates_thread(const struct pv_program *p, const struct pv_edge *e);

/* The strongly connected component of the function. Components of callees are lower or equal.
 * Creation of a thread does not count as a call. */
uint32_t pv_call_graph_component(const struct pv_call_graph *c, uint32_t function);
/* Is the function recursive, directly or indirectly? */
bool pv_call_graph_recurs(const struct pv_call_graph *c, uint32_t function);

/* The kinds of threads in which the function may run, as bits. Bit 0 is the program's start. If
 * there are more than 63 other kinds, the last bit stands for the rest. */
uint64_t pv_call_graph_threads(const struct pv_call_graph *c, uint32_t function);
bool pv_call_graph_has_threads(const struct pv_call_graph *c); /* is any thread ever created? */
/* May one thread run both functions? Conservative. */
static inline bool pv_same_thread(const struct pv_call_graph *c, uint32_t f, uint32_t g) {
  return (pv_call_graph_threads(c, f) & pv_call_graph_threads(c, g)) != 0;
}
/* May two threads of these kinds exist at the same time? */
static inline bool pv_kinds_meet(uint64_t f, uint64_t g) {
  return f && g && !(f == 1 && g == 1);
}

#endif
