/* fsm.h -- the FSM distance, without calling context: shortest paths on the supergraph. A call
 * leads into each of its callees; the end of a function leads to the location after every call that
 * may lead to it.
 *
 * Reference: Edelkamp, Mehler, "Byte code distance heuristics and trail direction for model
 * checking Java programs", MoChArt 2003, in the form that Rungta and Mercer (FMCAD 2006) compare
 * with. A path may return to a location other than the one it was called from; so the distance is a
 * lower bound of all others. The distances of threads yet to be created are kept apart, as in
 * fca.h.
 *
 * A backward search as in fca.h; linear, except for edges that cost more than 1. */
#ifndef PV_DISTANCE_FSM_H
#define PV_DISTANCE_FSM_H

#include "distance/estimate.h"

struct pv_fsm {
  const struct pv_dgraph *graph; /* borrowed */
  uint32_t *error, *create;      /* by node; create: NULL if there is no such error */
};

/* Distances to `errors`, nodes of the graph, which is borrowed. The caller frees the result. */
struct pv_fsm *pv_fsm_new(struct pv_dgraph *g, const uint32_t *errors, uint32_t n);
void pv_fsm_free(struct pv_fsm *f); /* NULL is fine */

/* The estimate for a thread is that of its location; the stack is ignored. O(1). */
static inline struct pv_estimate pv_fsm_at(const struct pv_fsm *f, uint32_t function,
                                           uint32_t loc) {
  uint32_t node = pv_dgraph_node(f->graph, function, loc);
  return (struct pv_estimate){f->error[node], f->create ? f->create[node] : PV_DISTANCE_NONE};
}

#endif
