/* value.h -- explicit-value analysis: for the cells of its precision a state knows one value or
 * none; of the rest nothing.
 *
 * Reference: Beyer, Löwe, "Explicit-state software model checking based on CEGAR and
 * interpolation", FASE 2013. Deviations: successors are those of the symbolic states, of which
 * only numbers are kept, so that memory means what it means everywhere; precisions are found by
 * slicing the path backwards from its contradiction along the values that made it. */
#ifndef PV_VALUE_H
#define PV_VALUE_H

#include "cpa/cpa.h"

struct pv_value_analysis;
struct pv_value_analysis *pv_value_new(struct pv_symbolic *s, struct pv_smt *smt,
                                       struct pv_control *control);
void pv_value_free(struct pv_value_analysis *v);
const struct pv_analysis *pv_value_analysis(struct pv_value_analysis *v);
/* As a part of a composition: it tells no events (another part does), and gives up cells with more
 * than `most` different values (an eighth of that if they are computed), which are then left to the
 * other parts. */
void pv_value_assist(struct pv_value_analysis *v, uint32_t most);
/* Were cells given up since this was asked last? States that know them are still there then. */
bool pv_value_gave_up(struct pv_value_analysis *v);
const struct pv_sym *pv_value_symbolic(const void *state); /* the values as a symbolic state */

/* Is the path of these moves impossible by values alone? If so, the cells that make it so enter the
 * precision of the points they pass. The last move counts with the condition under which `event`
 * happens (NULL: that it can be made). */
bool pv_value_refine(struct pv_value_analysis *v, uint32_t n, const struct pv_move *moves,
                     const struct pv_sym_event *event);
/* The first of the nodes (behind the moves but the last, of a graph whose part `part` is this
 * analysis) that would be another one with the precision there is now, or nodes->n: precisions
 * found on other paths do not change what is there already. */
uint32_t pv_value_outdated(struct pv_value_analysis *v, const struct pv_cpa *cpa, uint32_t part,
                           const pv_moves *moves, const pv_cells *nodes);

#endif
