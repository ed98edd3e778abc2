/* prefixes.h -- a frontier as a tree of the edges that threads take along its prefixes, for engines
 * whose executions are sequences of edges.
 *
 * The open part of a program with such a tree: an execution is open if it takes the edges from the
 * root to an open node, up to the order of edges that are invisible to other threads, and goes on
 * with a thread that is not asleep there. The tree may leave open more than the frontier. Inputs
 * are represented by the edges that they lead to. A thread is asleep only if all of its
 * alternatives are. Where a prefix cannot be expressed by edges, the last node that it was followed
 * to is open for all threads. */
#ifndef PV_PREFIXES_H
#define PV_PREFIXES_H

#include "engine.h"

struct pv_taken_edge { /* a node of the tree: what the last step from its parent was */
  uint32_t thread, function, edge;
  bool stays; /* the thread stands before the same edge afterwards: the first half of a wait */
  bool is_open, leads;  /* leads: it or a node below it is open */
  uint64_t asleep;      /* bit t: executions that go on with thread t are not open */
  uint32_t child, next; /* the first child, and the next child of the same parent; 0: none */
};
struct pv_prefixes {
  PV_VEC(struct pv_taken_edge) nodes; /* node 0 is the root; children follow their parents */
  /* By prefix of the frontier: the node that it opens, UINT32_MAX if it is not open. */
  PV_VEC(uint32_t) opens;
};

/* Puts the tree into *out; the caller frees it with pv_prefixes_free. Returns false if the frontier
 * is not one of this program or is too large, or if everything is open. */
bool pv_prefixes_find(const struct pv_task *task, const struct pv_open_part *frontier,
                      struct pv_prefixes *out);
void pv_prefixes_free(struct pv_prefixes *p);

#endif
