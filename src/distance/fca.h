/* fca.h -- distances with full calling context: to the end of the function, and to the nearest
 * error before it.
 *
 * Rungta and Mercer, FMCAD 2006, section III, Figure 4: `Dend` and `Derror`. A call costs
 * Dend(callee's start) and two steps if it is passed, and one step if the error is in the callee.
 *
 * Deviations, which change no value where Figure 4 defines one:
 *  - No matrices: the paper runs an all-pairs shortest-path analysis for each function and then
 *    looks only at the column of the end node and at minima over columns of error and call nodes.
 *    These are shortest paths *to* a set of nodes, with an offset for each, so that one pass
 *    backwards gives them: functions are gone through callees first, and each one's nodes from the
 *    last to the first, since edges mostly lead to higher numbers; where edges lead back the nodes
 *    below are done again if it made a difference. Cubic becomes linear.
 *  - Recursion: the paper's traversal would not end. Rounds go on until nothing changes, from
 * above: the least solution of the paper's equations. Without recursion they have one solution, so
 * that it is the paper's. Where a few rounds are not enough (a long row of functions that call each
 *    other, nodes numbered against the edges) all is done by rising distance instead: a call is
 *    passed backwards once both the node behind it and a callee's start are settled. This is
 * Knuth's generalisation of Dijkstra's algorithm to superior functions ("A generalization of
 * Dijkstra's algorithm", Information Processing Letters 6(1), 1977); n log n in the worst case, and
 * linear where calls are few (frontier.h).
 *  - Several callees: the least over them. Costs of edges, creation of threads: see graph.h.
 *  - Where neither an end nor an error can be reached the paper has infinity as well.
 * Admissible: a lower bound of the cost of every path that a thread can take. */
#ifndef PV_DISTANCE_FCA_H
#define PV_DISTANCE_FCA_H

#include "distance/estimate.h"

struct pv_fca {
  const struct pv_dgraph *graph; /* borrowed */
  struct pv_distance *at;        /* by node */
  bool creates;                  /* `create` is known of some node */
};

/* The graph must stay. errors: nodes of the graph, in any order. The caller frees it. */
struct pv_fca *pv_fca_new(struct pv_dgraph *g, const uint32_t *errors, uint32_t n);
void pv_fca_free(struct pv_fca *f); /* NULL is fine */

/* What a frame there contributes to its stack (e-FCA; estimate.h). O(1). */
static inline struct pv_distance pv_fca_at(const struct pv_fca *f, uint32_t function,
                                           uint32_t loc) {
  return f->at[pv_dgraph_node(f->graph, function, loc)];
}
/* e-FCA: the estimate for a stack, top frame first; the others are at the place behind their call.
 * Section IV. O(n). */
struct pv_estimate pv_fca_stack(const struct pv_fca *f, const struct pv_place_of *stack,
                                uint32_t n);

#endif
