/* monitor.h -- the conditions of option `condition` (base/monitors.h): watches how much the
 * analysis spends, and leaves out what exceeds a bound. The analysis goes on with the rest.
 *
 * A monitor stops a part of the analysis, never the run. If the bound is on states, steps or paths,
 * a move of a reached state is left out: its successor is not computed, or discarded, and what
 * follows is open. If it is on refinements, the event that was to be refuted is given up. Both
 * become provisos, and transitions to `open` in the assumption automaton (assumption.h).
 *
 * Reference: Beyer, Henzinger, Keremoglu, Wendler, "Conditional model checking", FSE 2012, section
 * 3 and figure 7. The path measures are an analysis of their own, as there (monitoring of repeating
 * locations), and so is what they decide (assumption storage, whose only assumption is `false`
 * here). Deviations:
 * - An assumption belongs to a move out of a state, not to a state. The states before it stay
 *   examined, and no state is excluded because one that it contains is.
 * - If several paths lead to a state, it keeps the measures of the first, not the largest:
 *   otherwise a loop that is closed would be followed again with longer and longer paths.
 * - Repetitions are counted at loop heads and where functions begin. A path that repeats any other
 *   location often repeats one of these as often.
 * - A refinement that exceeded its bound counts nevertheless if it succeeded.
 * - Overflow monitoring is part of the symbolic states: an event of kind PV_SYM_WRAP. If it cannot
 *   be excluded, the operation is modelled as wrapping around, so nothing has to be assumed.
 */
#ifndef PV_MONITOR_H
#define PV_MONITOR_H

#include "cpa/context.h"

struct pv_monitor;
/* NULL: the task's options set no condition. */
struct pv_monitor *pv_monitor_new(struct pv_analysis_context *g);
void pv_monitor_free(struct pv_monitor *m); /* NULL is fine, in all functions */
/* The measures of paths. */
const struct pv_analysis *pv_monitor_analysis(struct pv_monitor *m);
/* Begins to watch the algorithm. `part`: the position of the measures in its composition. */
void pv_monitor_watch(struct pv_monitor *m, struct pv_cpa *cpa, uint32_t n,
                      const struct pv_analysis *const *parts, uint32_t part);

/* Enclose a refinement. */
void pv_monitor_begin_refinement(struct pv_monitor *m);
/* Which bound it exceeded: "condition: refinement-time=2s"; NULL: none. Borrowed until the next
 * refinement begins. */
const char *pv_monitor_end_refinement(struct pv_monitor *m);
/* May the solver be asked about the formula of a path, within a refinement? */
bool pv_monitor_admits_formula(struct pv_monitor *m, uint32_t n, const pv_term *parts);

/* Adds a proviso for every place where something was left out. Returns true if there is one. */
bool pv_monitor_report(struct pv_monitor *m, struct pv_result *result);
/* Is the move of that node left out? With frame UINT32_MAX: is any move of it? */
bool pv_monitor_left_out(const struct pv_monitor *m, uint32_t node, uint32_t frame, uint32_t edge);

#endif
