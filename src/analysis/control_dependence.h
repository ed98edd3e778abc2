/* control_dependence.h -- control dependence within a function: which locations decide whether
 * another location is reached, and which location is reached next.
 *
 * A run leaves a location by one of its edges. If it may stay there (a loop that may not terminate,
 * an operation that may wait or end the run), staying is one more way out. A location depends on
 * those locations whose way out decides whether it is reached. This is the relation of Ferrante,
 * Ottenstein, Warren, "The program dependence graph and its use in optimization", TOPLAS 9(3),
 * 1987, on the graph in which every location where a run may stay has an additional edge to the
 * end. It is computed from postdominators, as in Cytron, Ferrante, Rosen, Wegman, Zadeck, TOPLAS
 * 13(4), 1991.
 *
 * If a function never returns, its return depends on everything that keeps it from returning: its
 * STOP edges and the locations where runs stay.
 *
 * If every cycle that may not terminate has such an edge, the relation is termination-sensitive:
 * weak control dependence of Podgurski, Clarke, IEEE TSE 16(9), 1990; nontermination-sensitive
 * control dependence of Ranganath, Amtoft, Banerjee, Hatcliff, Dwyer, TOPLAS 29(5), 2007. Without
 * edges for loops it is the classic relation. Deviations: it is a superset of theirs (a statement
 * in a loop also depends on what ends the loop), it is computed in nearly linear time, and it
 * includes their decisive order dependence, which irreducible control flow needs.
 *
 * Guarantee. Let S be closed: with a location it contains all locations on which it depends. (A
 * location in straight-line code that only may stay, such as a loop head, may itself be missing.)
 * Then for every location outside of S, either one and the same location of S is the next one on
 * every path and every run reaches it, or no run reaches S; runs that stay for ever in loops that
 * were not marked are excepted. This is strong (for the classic relation, weak) control closure:
 * Danicic, Barraclough, Harman, Howroyd, Kiss, Laurence, "A unifying theory of control dependence
 * and its application to arbitrary program structures", TCS 412(49), 2011. Why it holds: if two
 * different locations of S could be next, or one of them or the end, then one of them would depend
 * on a location outside of S, and S would not be closed. */
#ifndef PV_CONTROL_DEPENDENCE_H
#define PV_CONTROL_DEPENDENCE_H

#include "ir/ir.h"

struct pv_control_dependence;

/* A pseudo-location: the entry of the function. */
#define PV_AT_ENTRY UINT32_MAX

/* may_stay: by location, 1 if a run may stay there; borrowed during the call. The exit of the
 * function stands for its return; STOP edges end the run. Loops without an exit count as marked. */
struct pv_control_dependence *pv_control_dependence_new(const struct pv_function *f,
                                                        const uint8_t *may_stay);
void pv_control_dependence_free(struct pv_control_dependence *c); /* NULL is fine */

/* The locations on which `loc` depends, possibly including PV_AT_ENTRY, unordered. Borrowed. O(1).
 */
const pv_loc *pv_controlling(const struct pv_control_dependence *c, pv_loc loc, uint32_t *n);
/* May a run stay at `loc`, as given or as found for a loop without an exit? */
bool pv_control_may_stay(const struct pv_control_dependence *c, pv_loc loc);
/* The relation would have been too large (more than a million pairs and 16 per block). Then every
 * location depends on every branch, and pv_controlling returns the same list for all. */
bool pv_control_is_coarse(const struct pv_control_dependence *c);

#endif
