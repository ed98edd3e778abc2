/* guide.h -- the estimated distance of the current state from an error, for directed searches.
 *
 * Reference: Rungta, Mercer, "An improved distance heuristic function for directed software model
 * checking", FMCAD 2006. Distances in the program are computed once (distance/). The distance of a
 * thread is that of its call stack; the property determines how threads are combined
 * (distance/estimate.h). With several properties, the minimum counts.
 *
 * Targets. If regions of mutual exclusion are named, they are the targets; a nearer assertion would
 * otherwise attract the whole search. Else the targets are the errors of the properties that were
 * named. If none was named, every error is asked for, and errors of single operations are nearly
 * everywhere. Then the targets are the explicit ones (assertions, reach_error, invariants, observer
 * automata), else deadlocks, else races, else all errors.
 *
 * Look-ahead (option look-ahead; future work in the paper's section VI): a thread is followed as
 * long as it only reads and performs invisible operations, and the current values decide its
 * branches. Other threads may change these values; so the result is not a lower bound.
 *
 * A lower bound never exceeds the number of transitions, at the level of --atomic, to the nearest
 * error of any property asked for (edge costs: distance/program.h). If no bound can be given, the
 * estimate is 0, and pv_guide_lacks explains why. */
#ifndef PV_GUIDE_H
#define PV_GUIDE_H

#include "explore/stacks.h"

struct pv_guide;

/* All arguments are borrowed; `space` and `cache` may be NULL. lower: estimates must be lower
 * bounds. Adds statistics to the result, and notes about options that could not be honoured;
 * `result` is not used afterwards. */
struct pv_moves_cache;
struct pv_guide *pv_guide_new(const struct pv_task *task, struct pv_space *space,
                              struct pv_moves_cache *cache, bool lower, struct pv_result *result);
void pv_guide_free(struct pv_guide *g); /* NULL is fine */
/* Switches to the states of another space of the same program. Borrowed; NULL: none yet. */
void pv_guide_follow(struct pv_guide *g, struct pv_space *space, struct pv_moves_cache *cache);

/* The estimate for the current state, which must have been saved. PV_DISTANCE_NONE: no error
 * appears reachable; this is a heuristic, too. O(threads, frames, targets). */
uint32_t pv_guide_estimate(struct pv_guide *g);
/* With `lower`: why estimates are 0 or are no lower bounds; NULL: they are lower bounds. */
const char *pv_guide_lacks(const struct pv_guide *g);

#endif
