/* efsm.h -- the EFSM distance: calling context of k return locations, and the run-time stack.
 *
 * Reference: Rungta, Mercer, "A context-sensitive structural heuristic for guided search model
 * checking", ASE 2005, as described in FMCAD 2006 (sections I, II; Figures 1(b) and 2). Functions
 * are inlined into a k-bounded graph. Its nodes are locations with up to k return locations; fewer
 * than k are the complete stack. An end node leads to all return locations that agree with the
 * known ones; with k = 0 to the location after every call, as in fsm.h. The graph contains the
 * contexts that are reachable from the program's start and from the starts of threads. Its size is
 * exponential in k and in the depth of calls.
 *
 * The condition in_scope, that the error is reached before the current frame ends, means here: the
 * path does not pass the end node of the frame's function, in any context. Two deviations: (1) The
 * paper considers only the end of the frame's own node in the graph. Then a path could return to
 * another context of the same function by an unmatched return, and end there. Without recursion no
 * path of a program does that. (2) For a function that may be active twice on one stack the
 * condition is never checked, because a path may pass its end when an inner call returns. The paper
 * does not discuss this. With (1) the estimate grows with k; with (2) it is admissible for every
 * program: FSM <= EFSM(k) <= EFSM(k + 1) <= e-FCA for every stack (docs/directed.md has the proof).
 * Distances to ends are those of paths that pass no other end of the function, by the same rule.
 *
 * Distances are computed on demand: errors by function, ends by context. As in the paper this
 * dominates the cost. pv_efsm_complete computes all of them. */
#ifndef PV_DISTANCE_EFSM_H
#define PV_DISTANCE_EFSM_H

#include "base/limits.h"
#include "distance/estimate.h"

struct pv_efsm;

#define PV_EFSM_NODES (UINT32_C(1) << 22) /* a limit for the bounded graph */

/* Creates the bounded graph. errors: nodes of g. g is borrowed for the whole life of *out; g->root
 * must be set. PV_E_LIMIT: the graph would have more than `most` nodes, or a limit was hit (limits:
 * NULL for none); then *out is NULL. The caller frees *out. */
enum pv_status pv_efsm_new(struct pv_dgraph *g, const uint32_t *errors, uint32_t n, unsigned k,
                           uint32_t most, struct pv_limits *limits, struct pv_efsm **out);
void pv_efsm_free(struct pv_efsm *e); /* NULL is fine */
uint32_t pv_efsm_nodes(const struct pv_efsm *e);
/* Computes all distances: in the worst case one search of the whole graph for each context. Returns
 * the limit that was hit, or PV_LIMIT_NONE. limits: NULL for none. */
enum pv_limit pv_efsm_complete(struct pv_efsm *e, struct pv_limits *limits);

/* The distances of frame i of the stack, top frame first (estimate.h). They depend on its own
 * location and the next k. For a context that is not in the graph all are 0. O(k) after the first
 * query for a context. */
struct pv_distance pv_efsm_at(struct pv_efsm *e, const struct pv_place_of *stack, uint32_t n,
                              uint32_t i);
/* The estimate of Figure 2. O(n k). */
struct pv_estimate pv_efsm_stack(struct pv_efsm *e, const struct pv_place_of *stack, uint32_t n);
/* The minimum over all contexts of a location; all NONE if it has no context. For tables. */
struct pv_distance pv_efsm_least(struct pv_efsm *e, uint32_t function, uint32_t loc);

#endif
