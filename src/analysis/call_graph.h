/* call_graph.h -- which functions run, who calls whom, in which threads.
 *
 * Calls through pointers lead where the points-to sets say. The places that create threads lead to
 * the function at the bottom of threads. A kind of thread is a creating place in the program's own
 * code with its start function, or the program's start; there may be many threads of a kind but of
 * the first. */
#ifndef PV_CALL_GRAPH_H
#define PV_CALL_GRAPH_H

#include "analysis/points_to.h"

struct pv_call_graph;

/* Both are borrowed. */
struct pv_call_graph *pv_call_graph_new(const struct pv_program *p, const struct pv_points_to *pt);
void pv_call_graph_free(struct pv_call_graph *c); /* NULL is fine */

/* Can it be reached from the program's start (or from an invariant)? */
bool pv_call_graph_runs(const struct pv_call_graph *c, uint32_t function);
/* The functions, rising, that a CALL edge may lead to or a PRIM edge that creates a thread begins
 * in; none for other edges and for calls that lead nowhere. Borrowed, equal lists
 * are one and the same. O(log calls). */
const uint32_t *pv_call_graph_callees(const struct pv_call_graph *c, uint32_t function,
                                      uint32_t edge, uint32_t *n);
bool pv_creates_thread(const struct pv_program *p, const struct pv_edge *e);

/* Functions that call each other have the same component; those of callees are lower otherwise.
 * Creation of a thread is no call here. */
uint32_t pv_call_graph_component(const struct pv_call_graph *c, uint32_t function);
/* May a call of the function come back to it before it returns? */
bool pv_call_graph_recurs(const struct pv_call_graph *c, uint32_t function);

/* The kinds of threads that it may run in: bit 0 is the program's start; where there are more than
 * 63 others the last bit stands for the rest. */
uint64_t pv_call_graph_threads(const struct pv_call_graph *c, uint32_t function);
bool pv_call_graph_has_threads(const struct pv_call_graph *c); /* is one ever created? */
/* May one thread run both? (When in doubt, yes.) */
static inline bool pv_same_thread(const struct pv_call_graph *c, uint32_t f, uint32_t g) {
  return (pv_call_graph_threads(c, f) & pv_call_graph_threads(c, g)) != 0;
}
/* May two threads at one time be in functions that run in these kinds of threads? */
static inline bool pv_kinds_meet(uint64_t f, uint64_t g) {
  return f && g && !(f == 1 && g == 1);
}

#endif
