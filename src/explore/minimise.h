/* minimise.h -- shorter paths for errors that were found: fewest context switches, then fewest
 * transitions.
 *
 * The shortest of all paths from the initial state to an error with the same property, place and
 * message, found by a search of its own: Dijkstra's algorithm over pairs (state, thread that moved
 * last), with costs compared lexicographically. A transition of the thread that moved last costs
 * (0, 1), one of another thread (1, 1). With such costs no priority queue is needed (cf. 0-1
 * breadth-first search, Dial's buckets): what a level of k switches hands on to the next one comes
 * up in the order of its transitions, and so does what it hands on to itself, so that two queues,
 * of which the smaller head is taken, hold all in order. An error of a transition waits in the
 * queue like a state, since a cheaper transition to it may come up before its turn; an error that a
 * state shows is found when the state's turn comes first.
 *
 * Nothing is reduced, since reduction keeps errors but not the lengths of their paths; states are
 * matched exactly. A pair is left out if the state's turn came before with another thread, at no
 * more transitions and fewer switches: the rest of the path costs at most one switch more from
 * there. Paths that are no cheaper than the known ones are cut, and so is what the limits of the
 * run cut; then the cheapest path known stays, and the result says that it may not be the shortest.
 */
#ifndef PV_MINIMISE_H
#define PV_MINIMISE_H

#include "engine.h"

/* Shortens the paths of the replayed violations of a finished search. What it finds is replayed; a
 * path that is not the shortest for sure gets a note. */
void pv_minimise(const struct pv_task *task, struct pv_result *result);

#endif
