/* program.h -- a program as a graph for distances: nodes are the locations of its functions.
 *
 * Calls lead where analysis/call_graph.h says, by points-to sets for calls through pointers; one
 * that leads nowhere known is an ordinary edge. RETURN leads to the function's exit, its end node;
 * the step back to the caller is that edge's, so that the graph's `leave` is 0 and `end` counts the
 * return (the paper's rts is a node; what calls cost is the same). STOP ends the path: no edge.
 * Function numbers are the program's; what cannot be reached from its start has no edges. */
#ifndef PV_DISTANCE_PROGRAM_H
#define PV_DISTANCE_PROGRAM_H

#include "analysis/call_graph.h"
#include "distance/graph.h"

/* What an edge costs. Every cost is a lower bound of the number of transitions (vm/vm.h) that some
 * level of --atomic needs for it, so that distances are admissible there:
 *
 * EDGES: each edge 1, as in the paper. Exact for --atomic instruction but for atomic sections, and
 * with these no lower bound of anything.
 * INSTRUCTION: for --atomic instruction, where each edge is a transition of its own but those
 * inside of an atomic section, whose beginning is one for all: 1 where no section can be open
 * (nesting.h), else 0.
 * VISIBLE: for --atomic visible (and instruction): 1 for an edge before which a thread parks for
 * certain, else 0. For certain is: no atomic section can be open; the function is run only by
 * threads that the program creates, and the first thread never ends by itself, so that two are
 * alive; and the edge is a primitive that does not only touch the thread itself (but no join, no
 * end of a thread), the beginning of an atomic section, or a load, store or atomic operation at an
 * address that can only be in a global variable that is neither constant nor thread-local
 * (points_to.h). All that depends on the state is 0: what the first thread does, the heap, inputs,
 * ends of lives.
 *
 * With --atomic statement a transition may do several visible operations: there is no cost here
 * that is admissible for it. */
enum pv_cost { PV_COST_EDGES, PV_COST_VISIBLE, PV_COST_INSTRUCTION };

/* Everything is borrowed until it returns. The caller frees the graph, which is finished. O(program
 * and points-to sets of its accesses). */
struct pv_dgraph *pv_dgraph_of_program(const struct pv_program *p, const struct pv_points_to *pt,
                                       const struct pv_call_graph *calls, enum pv_cost cost);

#endif
