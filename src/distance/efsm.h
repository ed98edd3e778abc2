/* efsm.h -- distances with the nearest k return places as calling context, and a run-time stack.
 *
 * Rungta and Mercer, "A context-sensitive structural heuristic for guided search model checking",
 * ASE 2005, as told in FMCAD 2006 (sections I, II; Figures 1(b) and 2): functions are inlined into
 * a *k-bounded graph*, whose nodes are locations with up to k return places; fewer than k are the
 * whole stack. An end node leads to all the places that agree with what is known: with k = 0 to
 * behind every call, as in fsm.h. The graph is that of the contexts which calls from the program's
 * start, and from the starts of threads, lead to; its size is exponential in k and in the depth of
 * calls.
 *
 * `in_scope`, the error is met before the frame at hand ends, is this: the path does not pass the
 * end node of the frame's function, in any context. Two deviations. (1) The paper looks at the end
 * of the frame's own node of the graph only; a path may then come back to another context of the
 * same function by a return that does not match, and end there. No path of a program does without
 * recursion. (2) A function that may be active twice on one stack is never checked so: a path may
 * well pass its end when an inner call of it comes back, which the paper does not discuss. With (1)
 * the estimate rises with k, with (2) it is admissible whatever the program:
 * FSM <= EFSM(k) <= EFSM(k + 1) <= e-FCA for every stack (docs/directed.md has the reasons).
 * Distances to ends are those of paths that pass no other end of the function, by the same rule.
 *
 * What is asked for a first time is searched for then: errors by function, ends by context; that is
 * where the time goes, as in the paper. pv_efsm_complete does it all. */
#ifndef PV_DISTANCE_EFSM_H
#define PV_DISTANCE_EFSM_H

#include "base/limits.h"
#include "distance/estimate.h"

struct pv_efsm;

#define PV_EFSM_NODES (UINT32_C(1) << 22) /* a cap for the bounded graph */

/* PV_E_LIMIT: the graph would have more than `most` nodes, or one of the limits (NULL: none) is
 * hit; *out is NULL. The graph must stay; g->root must be set. errors: nodes of `g`. The caller
 * frees *out. */
enum pv_status pv_efsm_new(struct pv_dgraph *g, const uint32_t *errors, uint32_t n, unsigned k,
                           uint32_t most, struct pv_limits *limits, struct pv_efsm **out);
void pv_efsm_free(struct pv_efsm *e); /* NULL is fine */
uint32_t pv_efsm_nodes(const struct pv_efsm *e);
/* In the worst case as many searches of the whole graph as it has contexts: they end at a limit,
 * and the answer is which one (PV_LIMIT_NONE: it is complete). limits: NULL for none. */
enum pv_limit pv_efsm_complete(struct pv_efsm *e, struct pv_limits *limits);

/* What frame i of the stack, top frame first, contributes (estimate.h): it depends on its own place
 * and the next k. Of a context that is not in the graph nothing is known: all 0. O(k) once the
 * context was asked for. */
struct pv_distance pv_efsm_at(struct pv_efsm *e, const struct pv_place_of *stack, uint32_t n,
                              uint32_t i);
/* The estimate of Figure 2. O(n k). */
struct pv_estimate pv_efsm_stack(struct pv_efsm *e, const struct pv_place_of *stack, uint32_t n);
/* The least over all contexts of a place; all NONE if there is none. For tables. */
struct pv_distance pv_efsm_least(struct pv_efsm *e, uint32_t function, uint32_t loc);

#endif
