/* graph.h -- the interprocedural graph on which distances are computed: functions with nodes, edges
 * with costs of 0, 1 or more, and calls.
 *
 * Rungta and Mercer, "An improved distance heuristic function for directed software model
 * checking", FMCAD 2006, section III: a set of control-flow graphs, one for each function, with one
 * start and one end node each. A call leads to the start of its target, and from the target's end
 * to the node after the call. Extensions of the paper:
 *  - A call may have several callees (calls through pointers). One without a known callee is an
 *    ordinary edge.
 *  - The caller of this module chooses the costs: each call has its own cost of the step into the
 *    callee; the graph has one cost of the step back from an end node (the paper: 1 and 1).
 *  - A place that creates threads is an ordinary edge for the creating thread. It also leads to the
 *    starts of the new thread's functions, from which there is no return.
 *
 * The graph is independent of programs (program.h builds that of a program). Nodes are numbered
 * from 0 in each function, and consecutively over all functions in their order: the *node* of (f,
 * loc) is pv_dgraph_node. Error nodes are not part of the graph, because there may be several sets
 * of them. */
#ifndef PV_DISTANCE_GRAPH_H
#define PV_DISTANCE_GRAPH_H

#include "base/base.h"

/* ---- distances ------------------------------------------------------------------------------- */
#define PV_DISTANCE_NONE UINT32_MAX       /* infinity: not reachable */
#define PV_DISTANCE_MOST (UINT32_MAX - 1) /* this distance or a greater one: sums saturate here */

/* The sum; NONE if a summand is NONE. */
static inline uint32_t pv_distance_add(uint32_t a, uint32_t b) {
  if (a == PV_DISTANCE_NONE || b == PV_DISTANCE_NONE) return PV_DISTANCE_NONE;
  return a > PV_DISTANCE_MOST - b ? PV_DISTANCE_MOST : a + b;
}
static inline uint32_t pv_distance_min(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* ---- the graph ------------------------------------------------------------------------------- */
/* A node as the user of the graph knows it: in a program, a function and one of its locations. */
struct pv_place_of {
  uint32_t function, loc;
};
typedef PV_VEC(struct pv_place_of) pv_place_list;

struct pv_dgraph_function {
  uint32_t first, n;            /* its nodes */
  uint32_t start, end;          /* node numbers in the graph */
  uint32_t first_call, n_calls; /* after pv_dgraph_finish */
};
struct pv_dgraph_edge {
  /* Node numbers in the graph; cost: for a call, that of the step into the callee. */
  uint32_t from, to, cost;
  uint32_t list; /* its callees; PV_DISTANCE_NONE: it is not a call */
  bool creates;  /* it creates a thread: there is an ordinary edge, too, and no return */
};
struct pv_dgraph_list { /* of functions that calls may lead to; equal lists are stored once */
  uint32_t first, n;    /* slice of `callees` */
};
struct pv_dgraph_arc {
  uint32_t from, cost;
};
struct pv_dgraph {
  uint32_t leave; /* the cost of a step from an end node to the node after a call */
  uint32_t root;  /* the function in which the first thread begins; PV_DISTANCE_NONE: not set */
  uint32_t n;     /* number of nodes */
  /* Functions, at least those that have edges or are called, in an order in which callees and
   * functions of threads usually come before their callers and creators. NULL: computed by
   * pv_dgraph_finish, by number. Owned by the graph. */
  uint32_t *order, n_order;
  PV_VEC(struct pv_dgraph_function) functions;
  PV_VEC(struct pv_dgraph_edge) edges; /* sorted by `from` once the graph is finished */
  PV_VEC(struct pv_dgraph_edge) calls; /* calls and creations, once the graph is finished */
  PV_VEC(struct pv_dgraph_list) lists;
  PV_VEC(uint32_t) callees;
  struct pv_map list_of;
  /* Entries of x are at [first[x]] .. [first[x + 1] - 1]. */
  uint32_t *user_first, *user; /* by function, once finished: the lists that contain it */
  uint32_t *out_first;         /* by node, once finished: its edges in `edges` */
  /* Made by pv_dgraph_backwards. */
  uint32_t *in_first; /* by node: edges that end there, without calls and creations */
  struct pv_dgraph_arc *in;
  uint32_t *back_first, *back; /* by node: calls, without creations, that return there */
  uint32_t *made_first, *made; /* by list: calls and creations that use it */
  uint32_t *starts;            /* by node: 1 + the function that begins there, or 0 */
};

/* Returns an empty graph. The caller frees it. */
struct pv_dgraph *pv_dgraph_new(uint32_t leave);
void pv_dgraph_free(struct pv_dgraph *g); /* NULL is fine */
/* Adds a function and returns its number: 0, 1, ... start and end are less than n; n may be 0 for
 * an unreachable function. */
uint32_t pv_dgraph_function(struct pv_dgraph *g, uint32_t n, uint32_t start, uint32_t end);
/* Nodes are those of the function `f`. Callees may be functions that are added later; the list is
 * copied. */
void pv_dgraph_edge(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost);
void pv_dgraph_call(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost,
                    const uint32_t *callees, uint32_t n);
void pv_dgraph_create(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost,
                      const uint32_t *callees, uint32_t n);
/* Call it once, after the last edge and before distances are computed. Linear. */
void pv_dgraph_finish(struct pv_dgraph *g);
/* Creates the indices for backward searches; later calls do nothing. Call it after
 * pv_dgraph_finish. Linear. */
void pv_dgraph_backwards(struct pv_dgraph *g);

static inline uint32_t pv_dgraph_node(const struct pv_dgraph *g, uint32_t function, uint32_t loc) {
  return g->functions.at[function].first + loc;
}
/* The function that contains the node. O(log functions). */
uint32_t pv_dgraph_function_of(const struct pv_dgraph *g, uint32_t node);

#endif
