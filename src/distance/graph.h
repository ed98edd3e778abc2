/* graph.h -- the interprocedural graph that distances are measured on: functions with nodes, edges
 * that cost 0, 1 or more, and calls.
 *
 * Rungta and Mercer, "An improved distance heuristic function for directed software model
 * checking", FMCAD 2006, section III: a set of control-flow graphs, one a function, each with one
 * start and one end node; a call leads to the start of its target and from the target's end to the
 * node behind the call. Beyond the paper:
 *  - a call may have several callees (calls through pointers) or none that is known: it is an
 *    ordinary edge then;
 *  - what edges cost is up to the caller: that of the step into a callee is a call's own, that of
 *    the step back from an end node is one for the graph (the paper: 1 and 1);
 *  - a place that creates threads is an ordinary edge for the thread that goes on, and leads to the
 *    starts of the new thread's function besides, from where nobody returns.
 *
 * It knows nothing of programs (program.h makes one of a program). Nodes are numbered from 0 in
 * each function and, in the order of the functions, through the whole graph: the *node* of (f, loc)
 * is pv_dgraph_node. Error nodes are no part of it: there may be several sets of them. */
#ifndef PV_DISTANCE_GRAPH_H
#define PV_DISTANCE_GRAPH_H

#include "base/base.h"

/* ---- distances ------------------------------------------------------------------------------- */
#define PV_DISTANCE_NONE UINT32_MAX       /* there is no way: infinity */
#define PV_DISTANCE_MOST (UINT32_MAX - 1) /* that far or further: sums stop here */

/* The sum; NONE if one of them is. */
static inline uint32_t pv_distance_add(uint32_t a, uint32_t b) {
  if (a == PV_DISTANCE_NONE || b == PV_DISTANCE_NONE) return PV_DISTANCE_NONE;
  return a > PV_DISTANCE_MOST - b ? PV_DISTANCE_MOST : a + b;
}
static inline uint32_t pv_distance_min(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* ---- the graph ------------------------------------------------------------------------------- */
/* A node as the caller knows it: in a program, a function and one of its locations. */
struct pv_place_of {
  uint32_t function, loc;
};
typedef PV_VEC(struct pv_place_of) pv_place_list;

struct pv_dgraph_function {
  uint32_t first, n;            /* its nodes */
  uint32_t start, end;          /* nodes of the graph */
  uint32_t first_call, n_calls; /* after pv_dgraph_finish */
};
struct pv_dgraph_edge {
  uint32_t from, to, cost; /* nodes of the graph; cost: of a call: of the step into the callee */
  uint32_t list;           /* whom it calls; PV_DISTANCE_NONE: it is no call */
  bool creates;            /* a thread: there is an ordinary edge, too, and nobody returns */
};
struct pv_dgraph_list { /* of functions that some calls may lead to; equal lists are one */
  uint32_t first, n;    /* slice of `callees` */
};
struct pv_dgraph_arc {
  uint32_t from, cost;
};
struct pv_dgraph {
  uint32_t leave; /* the cost of a step from an end node to behind a call */
  uint32_t root;  /* the function that the first thread begins in; PV_DISTANCE_NONE: not set */
  uint32_t n;     /* nodes */
  /* Functions, at least those that have edges or are called, in an order in which callees and those
   * that threads are created in mostly come before who calls and creates them. NULL: by number, to
   * be found by pv_dgraph_finish. The graph's. */
  uint32_t *order, n_order;
  PV_VEC(struct pv_dgraph_function) functions;
  PV_VEC(struct pv_dgraph_edge) edges; /* by `from`, once finished */
  PV_VEC(struct pv_dgraph_edge) calls; /* those that are, creations included, once finished */
  PV_VEC(struct pv_dgraph_list) lists;
  PV_VEC(uint32_t) callees;
  struct pv_map list_of;
  /* What belongs to x is at [first[x]] .. [first[x + 1] - 1]. */
  uint32_t *user_first, *user; /* by function, once finished: lists that it is in */
  uint32_t *out_first;         /* by node, once finished: of `edges`, those from there */
  /* pv_dgraph_backwards */
  uint32_t *in_first; /* by node: edges that end there, but for calls and creations */
  struct pv_dgraph_arc *in;
  uint32_t *back_first, *back; /* by node: calls, not creations, that come back there */
  uint32_t *made_first, *made; /* by list: calls, creations included, that have it */
  uint32_t *starts;            /* by node: 1 + the function that begins there, or 0 */
};

/* Empty. The caller frees it. */
struct pv_dgraph *pv_dgraph_new(uint32_t leave);
void pv_dgraph_free(struct pv_dgraph *g); /* NULL is fine */
/* Adds a function; its number: 0, 1, ... start and end are below n; n may be 0 for a function that
 * nobody comes to. */
uint32_t pv_dgraph_function(struct pv_dgraph *g, uint32_t n, uint32_t start, uint32_t end);
/* Nodes are those of the function `f`. Callees may be functions that are not added yet; they are
 * copied. */
void pv_dgraph_edge(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost);
void pv_dgraph_call(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost,
                    const uint32_t *callees, uint32_t n);
void pv_dgraph_create(struct pv_dgraph *g, uint32_t f, uint32_t from, uint32_t to, uint32_t cost,
                      const uint32_t *callees, uint32_t n);
/* To be called once, after the last edge and before anything is measured. Linear. */
void pv_dgraph_finish(struct pv_dgraph *g);
/* Indices for who goes backwards: made by the first call, after pv_dgraph_finish. Linear. */
void pv_dgraph_backwards(struct pv_dgraph *g);

static inline uint32_t pv_dgraph_node(const struct pv_dgraph *g, uint32_t function, uint32_t loc) {
  return g->functions.at[function].first + loc;
}
/* The function that a node is in. O(log functions). */
uint32_t pv_dgraph_function_of(const struct pv_dgraph *g, uint32_t node);

#endif
