/* fca.h -- the FCA distance, with full calling context: to the end of the function, and to the
 * nearest error before it.
 *
 * Reference: Rungta, Mercer, FMCAD 2006, section III, Figure 4: Dend and Derror. Passing a call
 * costs Dend(start of the callee) and two steps; entering it to reach an error in the callee costs
 * one step.
 *
 * Deviations; none changes a value that Figure 4 defines:
 *  - No matrices. The paper solves an all-pairs shortest-path problem for each function and then
 *    uses only the column of the end node and minima over columns of error and call nodes. These
 *    are shortest paths to a set of nodes, each with an offset. One backward pass computes them:
 *    callees first, and in each function from the last node to the first, since most edges lead to
 *    higher numbers. After a back edge the nodes below are processed again if a value changed. This
 *    makes a cubic algorithm linear.
 *  - Recursion. The paper's traversal would not terminate. We iterate from above to a fixed point,
 *    the least solution of the paper's equations; without recursion the solution is unique. If a
 *    few rounds do not suffice (long chains of mutually recursive functions, unfavourable
 *    numbering), all nodes are processed by increasing distance instead: a call is passed backwards
 *    once the location after it and the start of a callee are settled. This is Knuth's
 *    generalisation of Dijkstra's algorithm to superior functions (Information Processing Letters
 *    6(1), 1977): O(n log n) in the worst case, linear if there are few calls (frontier.h).
 *  - Several callees: the minimum. Costs of edges, creation of threads: see graph.h.
 *  - If neither an end nor an error is reachable, the distance is infinite, as in the paper.
 * The distance is admissible: a lower bound of the cost of every path of a thread. */
#ifndef PV_DISTANCE_FCA_H
#define PV_DISTANCE_FCA_H

#include "distance/estimate.h"

struct pv_fca {
  const struct pv_dgraph *graph; /* borrowed */
  struct pv_distance *at;        /* by node */
  bool creates;                  /* `create` is finite for some node */
};

/* errors: nodes of the graph, in any order. The graph is borrowed for the life of the result. The
 * caller frees the result. */
struct pv_fca *pv_fca_new(struct pv_dgraph *g, const uint32_t *errors, uint32_t n);
void pv_fca_free(struct pv_fca *f); /* NULL is fine */

/* The distances of a frame at this location, for its stack (e-FCA; estimate.h). O(1). */
static inline struct pv_distance pv_fca_at(const struct pv_fca *f, uint32_t function,
                                           uint32_t loc) {
  return f->at[pv_dgraph_node(f->graph, function, loc)];
}
/* e-FCA: the estimate for a stack, top frame first; all other frames are at the return location of
 * their call. Section IV. O(n). */
struct pv_estimate pv_fca_stack(const struct pv_fca *f, const struct pv_place_of *stack,
                                uint32_t n);

#endif
