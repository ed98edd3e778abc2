/* reaching.h -- reaching definitions within a function, in static single assignment form: arcs from
 * uses to definitions, between nodes of the caller's graph. A thing is a variable or a group of
 * memory.
 *
 * Reference: Cytron, Ferrante, Rosen, Wegman, Zadeck, "Efficiently computing static single
 * assignment form and the control dependence graph", TOPLAS 13(4), 1991; semi-pruned (Briggs et
 * al., 1998): things that are used only after a definition in the same block have no phi nodes.
 * Deviations: a definition of a part has an arc to the definition before it. If there would be too
 * many phi nodes (see reaching.c), each thing has a single node for the whole function: every use
 * leads to it, and it leads to every definition. */
#ifndef PV_REACHING_H
#define PV_REACHING_H

#include "analysis/graph.h"
#include "ir/ir.h"

enum pv_event_kind { PV_EVENT_USE, PV_EVENT_SET, PV_EVENT_SET_PART };
struct pv_reaching_event {
  uint32_t thing, node;
  enum pv_event_kind kind;
};
typedef PV_VEC(struct pv_reaching_event) pv_reaching_events;

struct pv_reaching {
  const struct pv_function *f;
  uint32_t n_things;
  const pv_reaching_events *events; /* by location; at one location in order of execution */
  const uint32_t *first;    /* by location: its first event; one entry more than locations */
  const uint32_t *at_entry; /* by thing: the node of its definition on entry, or PV_NO_GRAPH_NODE */
  uint32_t (*new_node)(void *user);
  void (*arc)(void *user, uint32_t from, uint32_t to); /* from a use or phi node to a definition */
  void *user;
};

/* Computes all arcs. Paths that end in STOP do not reach the exit of the function. */
void pv_reach(const struct pv_reaching *r);

#endif
