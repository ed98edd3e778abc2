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
const struct pv_sym *pv_value_symbolic(const void *state); /* the values as a symbolic state */

/* Is the path of these moves impossible by values alone? If so, the cells that make it so enter the
 * precision of the points they pass. The last move counts with the condition under which `event`
 * happens (NULL: that it can be made). */
bool pv_value_refine(struct pv_value_analysis *v, uint32_t n, const struct pv_move *moves,
                     const struct pv_sym_event *event);

#endif
