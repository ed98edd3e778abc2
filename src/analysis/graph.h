/* graph.h -- directed graphs as adjacency arrays, dominators, and strongly connected components.
 * All algorithms are linear or nearly linear, and not recursive.
 *
 * Nodes are numbered from 0. Arcs leave a node in the order in which they were given. */
#ifndef PV_GRAPH_H
#define PV_GRAPH_H

#include "base/base.h"

#define PV_NO_GRAPH_NODE UINT32_MAX

struct pv_graph {
  uint32_t n;
  uint32_t *first, *to; /* the successors of v are to[first[v]] .. to[first[v + 1] - 1] */
};
struct pv_arc {
  uint32_t from, to;
};
typedef PV_VEC(struct pv_arc) pv_arcs;

/* The graph with n nodes and these arcs; the graph with all arcs reversed. The caller frees them.
 */
struct pv_graph pv_graph_new(uint32_t n, const pv_arcs *arcs);
struct pv_graph pv_graph_reverse(const struct pv_graph *g);
void pv_graph_free(struct pv_graph *g);

/* The immediate dominator of each node: of the root itself, of unreachable nodes PV_NO_GRAPH_NODE.
 * `back` is the reverse of g. The caller frees it. Georgiadis' SEMI-NCA: Georgiadis, Tarjan,
 * Werneck, "Finding dominators in practice", J. Graph Algorithms Appl. 10(1), 2006. */
uint32_t *pv_dominators(const struct pv_graph *g, const struct pv_graph *back, uint32_t root);

/* Entry and exit times of the dominator tree, two words per node, for pv_dominates in O(1). Every
 * node dominates itself. The caller frees the array. */
uint32_t *pv_dominator_times(const uint32_t *idom, uint32_t n);
static inline bool pv_dominates(const uint32_t *times, uint32_t a, uint32_t b) {
  return times[2 * a] <= times[2 * b] && times[2 * b + 1] <= times[2 * a + 1];
}

/* The strongly connected component of each node; arcs lead to components with lower or equal
 * numbers. *count: the number of components. The caller frees the array. Tarjan, "Depth-first
 * search and linear graph algorithms", SIAM J. Comput. 1(2), 1972. */
uint32_t *pv_components(const struct pv_graph *g, uint32_t *count);

#endif
