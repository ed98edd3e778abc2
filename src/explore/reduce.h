/* reduce.h -- partial-order reduction with persistent sets.
 *
 * A persistent set is a set of threads such that whatever the other threads do, before a member
 * moves, is independent of the pending operations of the members (Godefroid, "Partial-Order Methods
 * for the Verification of Concurrent Systems", LNCS 1032, ch. 4; the closure over threads is
 * algorithm 2 there, a stubborn set in Valmari's terms). The computation starts with one enabled
 * thread. It adds the threads that may still (future.h) do something dependent and, for each
 * disabled member, the threads that may enable it.
 *
 * Frozen threads and locks. Only what happens before a member moves counts. A thread outside the
 * set is frozen if it waits for something that only a member can provide. A closed lock is frozen
 * if no thread outside can open it without acquiring a frozen lock first; operations behind it are
 * then unreachable. The computation finds the largest such sets: it starts with all waiting threads
 * outside and all closed locks, and removes what a thread that is not frozen may wake or open,
 * until nothing changes. (Consider a sequence of outside threads that wakes a frozen thread or
 * opens a frozen lock. The first such step would be one of a thread that is not frozen, on a path
 * without a frozen lock.) For stubborn sets these are necessary enabling sets of whole threads. If
 * a thread releases a lock that it does not hold, none of this applies, and all threads move.
 *
 * The ignoring problem. A persistent set may exclude a thread for ever around a cycle. Every cycle
 * of states contains a transition that does not advance in the order of places (analysis/places.h,
 * pv_space_step). The search uses a set only if none of its transitions is such a transition. So
 * every cycle contains a state where all threads move, whatever the search order (cf. "sticky"
 * transitions: Kurshan, Levin, Minea, Peled, Yenigun, "Static partial order reduction", TACAS
 * 1998). All threads also move if a transition ends the path (under a proviso or by an error),
 * because what others do before it must be explored; and if it performs more visible operations
 * than the pending one (option --atomic statement), because only the pending one was examined.
 * Hence the explored transitions are a function of the state. Depth first, breadth first and
 * parallel searches find the same states.
 *
 * An atomic section that has to wait ends its path. If there may be one (analysis/sections.h), the
 * caller disables the reduction.
 *
 * The end of the program disables all other threads. So a thread parked at it is never a sufficient
 * set. In another order it may come first; that loses no error, since what was done before it can
 * be done after the member's operation as well. Only leaks are judged at the end itself; the caller
 * disables the reduction for them.
 *
 * Preserved errors: deadlocks, all errors of single transitions, and data races. For invariants
 * over globals the caller disables the reduction. The argument for races: let w be a shortest
 * sequence from this state to a state in which two threads are parked at conflicting accesses. If w
 * contains a step of a member, the first one is independent of its predecessors and can be moved to
 * the front. If not, no member's pending operation is one of the two accesses, unless both are
 * pending already; otherwise the other access would be a dependent future operation of a thread
 * outside. And a member's step is independent of all of w and leads to another state. */
#ifndef PV_REDUCE_H
#define PV_REDUCE_H

#include "explore/moves.h"

struct pv_reduce;
/* All borrowed. */
struct pv_reduce *pv_reduce_new(const struct pv_program *p, const struct pv_sched *sched,
                                struct pv_space *space);
void pv_reduce_free(struct pv_reduce *r);
/* The order of places that decides whether a transition advances. */
const struct pv_places *pv_reduce_places(const struct pv_reduce *r);
/* The enabled threads of a small persistent set; moves->able if all of them have to move. */
pv_threads pv_reduce_set(struct pv_reduce *r, const struct pv_moves *moves);

#endif
