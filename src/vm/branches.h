/* branches.h -- a frontier of a program without threads as an automaton over branches.
 *
 * A prefix of choices determines which branches an execution takes. Executions that continue the
 * prefix take the same ones, also those whose inputs have other values of the same classes
 * (analysis/input_classes.h). So the automaton leaves open every execution that begins with the
 * branches of an open prefix. That is more than the frontier where different inputs lead along the
 * same branches. */
#ifndef PV_BRANCHES_H
#define PV_BRANCHES_H

#include "engine.h"

/* Puts the automaton into *out; the caller frees it with pv_open_part_clear. Its letters are the
 * edges of locations with several edges; it does not move along others. Returns false if the
 * program has threads, if the frontier is not one of this program, or if all or too much would be
 * open. */
bool pv_frontier_branches(const struct pv_task *task, const struct pv_open_part *frontier,
                          struct pv_open_part *out);

#endif
