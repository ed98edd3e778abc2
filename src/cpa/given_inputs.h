/* given_inputs.h -- inputs that an earlier run tried with some values only, for the symbolic
 * engines.
 *
 * If all that a given condition leaves open are values of inputs, an execution is covered if each
 * visit of each such site gave a value that was tried. So a state has a flag more
 * (PV_CELL_NEW_INPUT): some site gave another value. It is false at the start, and set where a site
 * is passed. Where a path comes to a point from which no site can be visited any more, a false flag
 * stays false, so the execution is covered whatever follows: the path is restricted to states whose
 * flag is true.
 *
 * An error counts only where the flag is true, too: an execution to an error in which all inputs
 * had values that were tried was found, or there is none. Moves that end a path with a proviso are
 * not restricted, because what would follow them may have a new value.
 *
 * If executions that continue a given frontier are open besides (assumption.h), all this applies to
 * paths that have left the frontier.
 *
 * To assume "the value is none of those tried" at the site itself would be wrong if a site is
 * visited twice, or if there are several: one new value among old ones is open.
 *
 * What a site may follow is decided without regard to contexts: a return leads to all callers.
 * Sites are edges of the program that the condition is about; a condition about another program is
 * refused, or all that the change can reach is open (condition/regression.h). */
#ifndef PV_GIVEN_INPUTS_H
#define PV_GIVEN_INPUTS_H

#include "analysis/points_to.h"
#include "condition/condition.h"

struct pv_given_inputs;
/* NULL: the condition (which may be NULL) leaves open something else, too many values were tried,
 * or the program has threads or jumps. frontier: it may also leave open a frontier. Borrows all
 * arguments. */
struct pv_given_inputs *pv_given_inputs_new(const struct pv_condition *given,
                                            const struct pv_program *p,
                                            const struct pv_points_to *pt, bool frontier);
void pv_given_inputs_free(struct pv_given_inputs *u); /* NULL is fine */
/* The site at an edge: its tried values; NULL: it is none. */
const struct pv_open_part *pv_given_inputs_site(const struct pv_given_inputs *u, uint32_t function,
                                                uint32_t edge);
/* May a site be visited from there on? */
bool pv_given_inputs_comes(const struct pv_given_inputs *u, uint32_t function, pv_loc loc);
/* Can the condition be used for the program? */
bool pv_given_inputs_is_usable(const struct pv_condition *given, const struct pv_program *p,
                               bool frontier);

#endif
