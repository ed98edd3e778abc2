/* state_graph.h -- the graph of reachable states of a small run, as a listener of the search
 * (proviso_events.h) hears of it.
 *
 * Nodes are states, edges are transitions. An edge that leads to no state has an end of its own:
 * the program ended, the path was cut off, or there is an error. */
#ifndef PV_REPORT_STATE_GRAPH_H
#define PV_REPORT_STATE_GRAPH_H

#include "base/base.h"
#include "proviso_events.h"

enum { PV_STATE_GRAPH_MOST = 200 }; /* states of a graph that is drawn */

enum pv_state_end {
  PV_STATE_NONE, /* it leads to a state */
  PV_STATE_ENDED,
  PV_STATE_CUT,
  PV_STATE_ERROR
};
struct pv_state_edge {
  uint32_t from, to; /* `to`: if `end` is PV_STATE_NONE */
  uint32_t thread, alternative;
  enum pv_state_end end;
  const char *file, *function; /* where the thread was; borrowed from the program; or NULL */
  uint32_t line;
};
struct pv_state_graph {
  uint32_t states;
  bool *is_error;   /* of each state: an error is in it, such as a deadlock */
  bool is_complete; /* set by the caller: the search came to its end */
  bool is_reduced;  /* set by the caller: partial-order reduction left interleavings out */
  PV_VEC(struct pv_state_edge) edges;
  /* The rest is used by state_graph.c only. */
  struct pv_state_edge step;
  uint32_t at;
  bool within;
};

/* A listener that fills *g, which is empty. What it hears beyond PV_STATE_GRAPH_MOST states is left
 * out. */
proviso_listener pv_state_graph_listener(struct pv_state_graph *g);
void pv_state_graph_clear(struct pv_state_graph *g);

#endif
