/* program.h -- the graph of a program for distances: its nodes are the locations of all functions.
 *
 * Calls lead to the callees in analysis/call_graph.h, which uses points-to sets for indirect calls.
 * A call without a known callee is an ordinary edge. A RETURN edge leads to the function's exit,
 * its end node, and includes the step back to the caller; so the graph's `leave` is 0, and `end`
 * counts the return. (In the paper, rts is a node; the cost of a call is the same.) STOP ends the
 * path and has no edge. Functions are numbered as in the program. Functions that are unreachable
 * from the program's start have no edges. */
#ifndef PV_DISTANCE_PROGRAM_H
#define PV_DISTANCE_PROGRAM_H

#include "analysis/call_graph.h"
#include "distance/graph.h"

/* The cost of an edge. INSTRUCTION and VISIBLE are lower bounds of the number of transitions
 * (vm/vm.h) that the edge needs at a level of --atomic; so distances are admissible there.
 *
 * EDGES: every edge costs 1, as in the paper. Exact for --atomic instruction without atomic
 * sections; with atomic sections it is not a lower bound. INSTRUCTION: for --atomic instruction,
 * where each edge is a transition, but a whole atomic section is only one. 1 if no section can be
 * open (nesting.h), else 0. VISIBLE: for --atomic visible (and instruction). 1 for an edge before
 * which a thread certainly parks, else 0. It certainly parks if all of the following hold: no
 * atomic section can be open; only threads that the program creates run the function, and the first
 * thread never ends by itself, so that two threads are alive; the edge is a primitive that does not
 * only concern the thread itself (excluding joins and ends of threads), the beginning of an atomic
 * section, or a load, store or atomic operation whose address can only be that of a global variable
 * that is neither constant nor thread-local (points_to.h). Whatever depends on the state costs 0:
 * edges of the first thread, the heap, inputs, ends of objects.
 *
 * With --atomic statement a transition may include several visible operations; no cost is
 * admissible. */
enum pv_cost { PV_COST_EDGES, PV_COST_VISIBLE, PV_COST_INSTRUCTION };

/* The finished graph of a program. Arguments are borrowed during the call; the caller frees the
 * graph. O(size of the program and of the points-to sets of its accesses). */
struct pv_dgraph *pv_dgraph_of_program(const struct pv_program *p, const struct pv_points_to *pt,
                                       const struct pv_call_graph *calls, enum pv_cost cost);

#endif
