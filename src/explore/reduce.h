/* reduce.h -- partial-order reduction: which threads have to move in a state.
 *
 * Persistent sets (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems",
 * LNCS 1032, ch. 4; the closure over threads is algorithm 2 there, stubborn sets in Valmari's
 * words): a set of threads such that nothing the other threads can do before one of the set moves
 * depends on what a member is parked at. It begins with one thread that can move and grows: by the
 * threads that may still (future.h) do something dependent, and, for a member that is blocked, by
 * the threads that may unblock it.
 *
 * Only what comes before a member's step counts. A thread outside that waits for something that
 * only a member can give is *frozen*; so is a lock that is closed and that no thread outside can
 * open before it goes through such a lock itself: what lies behind it is out of reach. The largest
 * sets of both with these properties are the frozen ones: start with all threads outside that wait
 * and all closed locks, take away what a thread that is not frozen may wake or open, until nothing
 * changes. (The first step of a sequence of outside threads that woke a frozen thread or opened a
 * frozen lock would have been one of a thread that is not frozen, on a way without a frozen lock.)
 * In the terms of stubborn sets these are necessary enabling sets, for whole threads. A thread that
 * gives back a lock that it does not hold is not bound by any of this: then all move.
 *
 * Ignoring. A persistent set may leave a thread out for ever around a cycle. Every cycle of states
 * contains a transition that does not lead forward in the order of places (analysis/places.h,
 * pv_space_step), and the search uses the set only if none of its transitions is one; so every
 * cycle contains a state where all threads move, whatever the order of the search was (cf. Kurshan,
 * Levin, Minea, Peled, Yenigun, "Static partial order reduction", TACAS 1998, "sticky"
 * transitions). Likewise if a transition
 * ends the path (under a proviso, or by an error): what the others do before it is explored, too.
 * And likewise if it does more visible operations than the one the thread was parked at (option
 * --atomic statement): only that one was looked at here. Which transitions are explored from a
 * state is thus a function of the state: depth first, breadth first and several workers find the
 * same states.
 *
 * An atomic section that waits cuts the path instead: the caller switches the reduction off if
 * there may be any (analysis/sections.h).
 *
 * The end of the program disables everybody else, so a thread parked at it never suffices; that it
 * may come first in some other order loses no error, since what was done before it can be done
 * after t's operation too. Only leaks are judged at the end itself: the caller switches the
 * reduction off for them.
 *
 * Kept errors: deadlocks and all errors of single transitions; invariants over globals only if
 * `visible` globals are told apart -- the caller switches the reduction off when invariants are
 * asked for -- and data races: if some sequence w from this state leads to two threads parked at
 * conflicting accesses, then so does one that begins with the set. Take the shortest such w. If it
 * contains a step of a member, the first of them is independent of what precedes it and can be
 * moved to the front. If not, no member's parked operation is one of the two accesses unless both
 * are parked there already (else the other access is a future operation of a thread outside that
 * depends on it), and a member's step is independent of all of w and leads on. */
#ifndef PV_REDUCE_H
#define PV_REDUCE_H

#include "explore/moves.h"

struct pv_reduce;
/* All borrowed. */
struct pv_reduce *pv_reduce_new(const struct pv_program *p, const struct pv_sched *sched,
                                struct pv_space *space);
void pv_reduce_free(struct pv_reduce *r);
/* The order that says which transitions of a set go back. */
const struct pv_places *pv_reduce_places(const struct pv_reduce *r);
/* The able threads of a persistent set, as small as it finds one; moves->able if all have to move.
 */
pv_threads pv_reduce_set(struct pv_reduce *r, const struct pv_moves *moves);

#endif
