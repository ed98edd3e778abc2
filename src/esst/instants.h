/* instants.h -- instants that never end (property no-endless-instant), in a complete graph of
 * abstract states. Every infinite execution is an infinite path of the finite graph. If an instant
 * of it never ends, it goes round a cycle on which every state of the scheduler is inside of an
 * instant. So without such cycles every instant ends. Cover edges count like tree edges.
 *
 * Reductions keep errors, which finite executions show, but not every infinite execution (the
 * ignoring problem), so there must be none. */
#ifndef PV_ESST_INSTANTS_H
#define PV_ESST_INSTANTS_H

#include "cpa/context.h"
#include "cpa/cpa.h"

/* Returns true if there is such a cycle. *node: a node on one. */
bool pv_instants_cycle(const struct pv_cpa *cpa, const struct pv_control *control, uint32_t *node);
/* Decides the property after a complete exploration. A cycle is only a candidate for an error: if
 * `searches`, the machine is asked, within a part of the limits. Adds a violation, or a proviso if
 * that does not decide. */
void pv_instants_decide(const struct pv_task *task, const struct pv_cpa *cpa,
                        const struct pv_control *control, bool searches, struct pv_result *result);

#endif
