/* search.h -- stateless search: dynamic partial-order reduction.
 *
 * Executions are explored one after the other, depth first; nothing is kept of states. Where two
 * events race, the search comes back to the state before the first and takes a beginning in which
 * the second one comes first. Which beginnings it takes is option --dpor:
 *
 * classic: backtrack sets, as in "Assertion guided abstraction" (Kusano, Wang, ASE 2014), algorithm
 *   1, which is that of Flanagan and Godefroid (POPL 2005).
 * source: source sets and sleep sets (Abdulla et al., JACM 2017, algorithm 1).
 * optimal: wakeup trees (there, algorithm 2): no execution is equivalent to another one, and none
 * is given up half-way, but for what the order of primitives leaves open (trace.h).
 *
 * Deviations. Going back is undone by a journal, not by running again from the start. A thread
 * whose path ends in an error, or under a proviso, stops there, and the others go on: what follows
 * is what they can do while it is slow. Choices that are not the scheduler's (inputs, whom a signal
 * wakes) are all explored, at the event that has them; they are part of the event. */
#ifndef PV_DPOR_SEARCH_H
#define PV_DPOR_SEARCH_H

#include "dpor/wakeup.h"

/* Runs to the end or to a limit; adds violations and provisos to the result, and counts. predicate
 * (NULL: everything matters) is enlarged. */
void pv_dpor_search(const struct pv_task *task, struct pv_vm *vm, const struct pv_sched *sched,
                    struct pv_predicate *predicate, struct pv_result *result);

#endif
