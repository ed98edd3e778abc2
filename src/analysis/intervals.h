/* intervals.h -- between which numbers a variable lies at each location, for the whole program: the
 * interval analysis of Cousot and Cousot, "Abstract interpretation", POPL 1977, forwards, with
 * widening at loop heads.
 *
 * Widening goes to the next number that a branch compares with (thresholds: Blanchet et al., "A
 * static analyzer for large safety-critical software", PLDI 2003), which with the branches' own
 * conditions leaves nothing for narrowing to win. Between functions: one interval for each
 * parameter and each result, over all calls and threads. Of memory: one for each global, over all
 * that is ever stored there by any thread, as long as all accesses are of one width and aligned;
 * nothing is known of stack slots and the heap, of which parts may be unset.
 *
 * Holds in every run, whatever threads do when, up to the first access that misses its object.
 * Overflow wraps, or is anything: it is no end. What points_to.h assumes. */
#ifndef PV_INTERVALS_H
#define PV_INTERVALS_H

#include "analysis/call_graph.h"
#include "analysis/interval.h"

struct pv_intervals;

/* All are borrowed. NULL: the bound of the work was hit, or the points-to sets are not complete;
 * then nothing is known. */
struct pv_intervals *pv_intervals_new(const struct pv_program *p, const struct pv_points_to *pt,
                                      const struct pv_call_graph *calls);
void pv_intervals_free(struct pv_intervals *x); /* NULL is fine */

/* Can the location be reached? */
bool pv_intervals_reach(const struct pv_intervals *x, uint32_t function, pv_loc loc);
/* The expression's value at the location; none if that cannot be reached. */
struct pv_interval pv_intervals_of(const struct pv_intervals *x, uint32_t function, pv_loc loc,
                                   pv_expr e);
/* Does an access of that many bytes at the address, at the location, stay within a global or a
 * stack slot that lives as long as its frame? False if that is not known. */
bool pv_intervals_inside(const struct pv_intervals *x, uint32_t function, pv_loc loc,
                         pv_expr address, uint64_t bytes);

#endif
