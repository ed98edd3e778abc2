/* reaching.h -- which settings of a thing (a variable, a group of memory) may reach its uses,
 * within one function: static single assignment form, as arcs between the nodes of somebody else's
 * graph.
 *
 * Reference: Cytron, Ferrante, Rosen, Wegman, Zadeck, "Efficiently computing static single
 * assignment form and the control dependence graph", TOPLAS 13(4), 1991; semi-pruned (Briggs et
 * al., 1998): things that are used only behind a setting in the same block have no phi nodes.
 * Deviation: a setting of a part keeps the one before it, so that it is a node with an arc to it.
 * Where there would be too many phi nodes (see reaching.c) every thing has one node for all of the
 * function: each use leads to it, and it to each setting. */
#ifndef PV_REACHING_H
#define PV_REACHING_H

#include "analysis/graph.h"
#include "ir/ir.h"

enum pv_event_kind { PV_EVENT_USE, PV_EVENT_SET, PV_EVENT_SET_PART };
struct pv_event {
  uint32_t thing, node;
  enum pv_event_kind kind;
};
typedef PV_VEC(struct pv_event) pv_events;

struct pv_reaching {
  const struct pv_function *f;
  uint32_t n_things;
  const pv_events *events;  /* by location; at one location in the order in which they happen */
  const uint32_t *first;    /* by location, and one more: its first event */
  const uint32_t *at_entry; /* by thing: the node that sets it before the function; or PV_NO_NODE */
  uint32_t (*new_node)(void *user);
  void (*arc)(void *user, uint32_t from, uint32_t to); /* from a use (or a phi node) to a setting */
  void *user;
};

/* Runs that end by STOP do not come to the function's exit. */
void pv_reach(const struct pv_reaching *r);

#endif
