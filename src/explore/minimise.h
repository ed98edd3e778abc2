/* minimise.h -- shortest error paths: fewest context switches, then fewest transitions.
 *
 * For each error a separate search finds the shortest path from the initial state to an error of
 * the same property, location and message. It is Dijkstra's algorithm over pairs (state, thread
 * that moved last) with lexicographic costs: a transition of the thread that moved last costs (0,
 * 1), a transition of another thread (1, 1). These costs make a priority queue unnecessary (compare
 * 0-1 breadth-first search and Dial's buckets). Within one number k of context switches, pairs
 * inherited from k - 1 arrive in the order of their transitions, and so do pairs generated within
 * k; so two queues suffice, and the smaller head is next. An error of a transition is queued like a
 * state, since a cheaper transition to it may be generated later. An error that a state shows is
 * reported when the state is dequeued first.
 *
 * The search uses no reduction, because reductions preserve errors but not the lengths of paths.
 * States are compared exactly. A pair is pruned if its state was dequeued before with another
 * thread, with no more transitions and fewer switches, because the rest of the path needs at most
 * one more switch from there. Paths that are not cheaper than the best known path are pruned, too.
 * If a limit of the run ends the search, the best known path is kept, and the result says that a
 * shorter one may exist. */
#ifndef PV_MINIMISE_H
#define PV_MINIMISE_H

#include "engine.h"

/* Shortens the paths of the replayed violations of a finished search. Every new path is replayed. A
 * note marks each path that may not be the shortest. */
void pv_minimise(const struct pv_task *task, struct pv_result *result);

#endif
