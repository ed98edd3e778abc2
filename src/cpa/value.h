/* value.h -- explicit-value analysis: a state maps each cell of the precision to a constant or to
 * "unknown"; other cells are unknown.
 *
 * Reference: Beyer, Löwe, "Explicit-state software model checking based on CEGAR and
 * interpolation", FASE 2013. Deviations: successors are computed by symbolic.h, of whose states
 * only constants are kept; so memory has the same semantics in all analyses. Precisions are found
 * by slicing the path backwards from the contradiction. */
#ifndef PV_VALUE_H
#define PV_VALUE_H

#include "cpa/cpa.h"

struct pv_value_analysis;
struct pv_value_analysis *pv_value_new(struct pv_symbolic *s, struct pv_smt *smt,
                                       struct pv_control *control);
void pv_value_free(struct pv_value_analysis *v);
const struct pv_analysis *pv_value_analysis(struct pv_value_analysis *v);
/* For use within a composition. It reports no events, because another part does. It drops cells
 * with more than `most` values from the precision, or an eighth of that if the values are computed;
 * they are left to the other parts. The bound is `steering`, if that is more, for cells that decide
 * between calls of the scheduler. */
void pv_value_assist(struct pv_value_analysis *v, uint32_t most, uint32_t steering);
/* For programs with a scheduler that is executed: until it chooses a thread for the first time, and
 * then until they change, all values are known that are numbers, also as elements of arrays. */
void pv_value_begin(struct pv_value_analysis *v);
/* From now on, a cell that is needed somewhere is tracked everywhere. For programs with threads:
 * what one thread needs, another one sets. */
void pv_value_share(struct pv_value_analysis *v);
/* Were cells dropped since the last call? The graph still has states that track them. */
bool pv_value_gave_up(struct pv_value_analysis *v);
const struct pv_sym *pv_value_symbolic(const void *state); /* as a symbolic state */

/* Is the path infeasible already by constants? If so, the cells responsible are added to the
 * precision at the points where they are needed. The path ends with `event`; NULL: with its last
 * move. */
bool pv_value_refine(struct pv_value_analysis *v, uint32_t n, const struct pv_move *moves,
                     const struct pv_sym_event *event);
/* The first node on the path that would have another state under the current precision, or
 * nodes->n. nodes->at[i] follows moves->at[i]. `part`: the number of this analysis in the
 * composition. Needed because nodes are not recomputed when the precision grows on other paths. */
uint32_t pv_value_outdated(struct pv_value_analysis *v, const struct pv_cpa *cpa, uint32_t part,
                           const pv_moves *moves, const pv_cells *nodes);

#endif
