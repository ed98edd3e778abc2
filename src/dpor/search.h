/* search.h -- stateless search with dynamic partial-order reduction.
 *
 * The search explores executions one after the other, depth first, and stores no states. For each
 * race it returns to the state before the first event and schedules an initial fragment in which
 * the second event comes first. Option --dpor selects the algorithm:
 *
 * classic: backtrack sets, as in Kusano, Wang, "Assertion guided abstraction", ASE 2014, algorithm
 *   1, which is that of Flanagan, Godefroid, POPL 2005.
 * source: source sets and sleep sets (Abdulla et al., JACM 64(4), 2017, algorithm 1).
 * optimal: wakeup trees (ibid., algorithm 2). No two executions are equivalent, and none is
 * abandoned half-way, except where the order of primitives is not known (trace.h).
 *
 * Deviations. A journal restores earlier states; the program is not run again. A thread whose path
 * ends in an error or under a proviso stops there, and the other threads continue: this is what
 * they can do while that thread is slow. Choices other than the scheduler's, such as inputs and the
 * waiter that a signal wakes, belong to the event that makes them. All of them are explored. */
#ifndef PV_DPOR_SEARCH_H
#define PV_DPOR_SEARCH_H

#include "dpor/wakeup.h"
#include "vm/coverage.h"

/* Searches to the end, to a limit or until `budget` transitions were executed. Adds violations,
 * provisos and statistics to the result. `predicate` is enlarged on the way; NULL: every visible
 * operation matters. `coverage` records what the machine executes; NULL: not asked for. Returns
 * false if the budget ended the search: then the result is incomplete, without a proviso that says
 * so. */
bool pv_dpor_search(const struct pv_task *task, struct pv_vm *vm, const struct pv_sched *sched,
                    struct pv_predicate *predicate, struct pv_coverage_recorder *coverage,
                    uint64_t budget, struct pv_result *result);

#endif
