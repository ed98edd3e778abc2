/* control_dependence.h -- which decisions of a function's control-flow automaton decide whether,
 * and what next, something is done.
 *
 * At a location a run goes on by one of its edges; where it *may stay* (a loop that may go round
 * for ever, an operation that may wait or end the run) that is one more way. A location depends on
 * the locations whose way decides whether it is reached. The relation is that of Ferrante,
 * Ottenstein, Warren, "The program dependence graph and its use in optimization", TOPLAS 9(3), 1987
 * (computed from postdominators as in Cytron, Ferrante, Rosen, Wegman, Zadeck, TOPLAS 13(4), 1991)
 * of the graph in which every place where the run may stay has a further edge to the end.
 *
 * With an edge for one location of every cycle that may not end, that is termination-sensitive:
 * what Podgurski and Clarke call weak control dependence (IEEE TSE 16(9), 1990), and Ranganath,
 * Amtoft, Banerjee, Hatcliff, Dwyer, TOPLAS 29(5), 2007, the nontermination-sensitive one.
 * Deviations: it is a superset of theirs (a statement inside of a loop also depends on what ends
 * the loop), computed in nearly linear time, and covers their decisive order dependence, which flow
 * that is not reducible needs. With no edges for loops it is the classic one.
 *
 * What is promised: let S be closed (with a location all that it depends on; a location that only
 * may stay in the middle of straight code, say the head of a loop, may itself be left out). Then
 * from every location outside of S, the next ones of S on any way are one and the same, and every
 * run comes there, or none is ever reached, not counting runs that go for ever round loops not
 * marked. That is *strong* (or, of the classic relation, *weak*) *control closure* of Danicic,
 * Barraclough, Harman, Howroyd, Kiss, Laurence, "A unifying theory of control dependence and its
 * application to arbitrary program structures", TCS 412(49), 2011, and it holds since a pair of
 * different next locations, or one and the end, has a member that depends on something outside. */
#ifndef PV_CONTROL_DEPENDENCE_H
#define PV_CONTROL_DEPENDENCE_H

#include "ir/ir.h"

struct pv_control_dependence;

/* The entry of the function, as something to depend on. */
#define PV_AT_ENTRY UINT32_MAX

/* may_stay: by location, 1: a run that comes there may do so (borrowed during the call). The
 * function's exit stands for its return; STOP edges end the run. Loops without a way out count as
 * marked even if they are not: there is no other end. */
struct pv_control_dependence *pv_control_dependence_new(const struct pv_function *f,
                                                        const uint8_t *may_stay);
void pv_control_dependence_free(struct pv_control_dependence *c); /* NULL is fine */

/* The locations (PV_AT_ENTRY among them) that `loc` depends on, without order; borrowed. O(1). */
const pv_loc *pv_controlling(const struct pv_control_dependence *c, pv_loc loc, uint32_t *n);
/* Is `loc` a place where the run may stay, as given or found? */
bool pv_control_may_stay(const struct pv_control_dependence *c, pv_loc loc);
/* There would have been too many pairs (more than a million and 16 a block): every location depends
 * on every branch. pv_controlling gives the same list for all. */
bool pv_control_is_coarse(const struct pv_control_dependence *c);

#endif
