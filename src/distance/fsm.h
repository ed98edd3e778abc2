/* fsm.h -- distances without calling context: shortest paths on the supergraph, where a call leads
 * into each of its callees, and the end of a function to behind every call that may lead to it.
 *
 * The FSM heuristic of Edelkamp and Mehler, "Byte code distance heuristics and trail direction for
 * model checking Java programs", MoChArt 2003, as Rungta and Mercer (FMCAD 2006) compare with it.
 * A path may come back to a place other than the one it was called from, so that it is a lower
 * bound of all the others. What threads do that are yet to be created is kept apart, as in fca.h.
 *
 * A search backwards, as in fca.h; linear, but for edges that cost more than 1. */
#ifndef PV_DISTANCE_FSM_H
#define PV_DISTANCE_FSM_H

#include "distance/estimate.h"

struct pv_fsm {
  const struct pv_dgraph *graph; /* borrowed */
  uint32_t *error, *create;      /* by node; create: NULL if there is no such error */
};

/* The graph must stay. errors: nodes of the graph. The caller frees it. */
struct pv_fsm *pv_fsm_new(struct pv_dgraph *g, const uint32_t *errors, uint32_t n);
void pv_fsm_free(struct pv_fsm *f); /* NULL is fine */

/* O(1). The estimate for a thread is that of the place it is at: the stack does not count. */
static inline struct pv_estimate pv_fsm_at(const struct pv_fsm *f, uint32_t function,
                                           uint32_t loc) {
  uint32_t node = pv_dgraph_node(f->graph, function, loc);
  return (struct pv_estimate){f->error[node], f->create ? f->create[node] : PV_DISTANCE_NONE};
}

#endif
