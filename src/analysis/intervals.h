/* intervals.h -- interval analysis of the whole program: bounds for each variable at each location.
 * Cousot, Cousot, "Abstract interpretation", POPL 1977; a forward analysis with widening at loop
 * heads.
 *
 * Widening goes to the next constant that a branch compares with (thresholds: Blanchet et al., "A
 * static analyzer for large safety-critical software", PLDI 2003). Together with the conditions of
 * branches this leaves little to gain by narrowing. Between functions there is one interval for
 * each parameter and each result, over all calls and threads. For a global there is one interval
 * over all values that any thread ever stores, as long as all accesses are aligned and of one
 * width. Nothing is known of stack slots and of the heap, parts of which may be unset.
 *
 * The bounds hold in every run, whatever the schedule, up to the first access outside of its
 * object. Overflow wraps around or gives any value; it does not end the run. The assumptions of
 * points_to.h apply. */
#ifndef PV_INTERVALS_H
#define PV_INTERVALS_H

#include "analysis/call_graph.h"
#include "analysis/interval.h"

struct pv_intervals;

/* All arguments are borrowed. NULL: nothing is known, because the work limit was hit or the
 * points-to sets are incomplete. */
struct pv_intervals *pv_intervals_new(const struct pv_program *p, const struct pv_points_to *pt,
                                      const struct pv_call_graph *calls);
void pv_intervals_free(struct pv_intervals *x); /* NULL is fine */

/* Is the location reachable? */
bool pv_intervals_reach(const struct pv_intervals *x, uint32_t function, pv_loc loc);
/* The interval of the expression at the location; empty if the location is unreachable. */
struct pv_interval pv_intervals_of(const struct pv_intervals *x, uint32_t function, pv_loc loc,
                                   pv_expr e);
/* Does this access stay within a global, or within a stack slot that lives as long as its frame?
 * false if that is not known. */
bool pv_intervals_inside(const struct pv_intervals *x, uint32_t function, pv_loc loc,
                         pv_expr address, uint64_t bytes);

#endif
