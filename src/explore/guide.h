/* guide.h -- how far the state at hand is from an error, as directed searches want to know it.
 *
 * Rungta and Mercer, "An improved distance heuristic function for directed software model
 * checking", FMCAD 2006: distances are found once from the program (distance/), each thread's is
 * that of its run-time stack, and threads are combined as the property says (distance/estimate.h).
 * Where several properties are asked for it is the least of theirs.
 *
 * Guidance goes for the regions named, if any are: an assertion that is nearer would draw all
 * there; else for the properties asked for by name. If none was named, every error is asked for, of
 * which those of single operations may be anywhere: then it goes for what the program says itself
 * (assertions, reach_error, invariants, observers), if there is any, else for deadlocks, else for
 * races, else for all.
 *
 * With option look-ahead a thread is followed on its way, as far as it only reads and does what
 * nobody sees, and what it reads now decides where it goes (the future work of the paper's section
 * VI). Others may change what it reads: that is no lower bound.
 *
 * A *lower bound* is a number of transitions that the nearest error of any property asked for is
 * away at least, at the level of --atomic; it costs edges accordingly (distance/program.h). Where
 * there is none, 0 is told, and why. */
#ifndef PV_GUIDE_H
#define PV_GUIDE_H

#include "explore/stacks.h"

struct pv_guide;

/* Everything is borrowed and stays; `space` and its cache may be NULL, `result` is not looked at
 * again. lower: estimates have to be lower bounds. Adds notes to the result about what could not be
 * had as asked for, and figures. */
struct pv_moves_cache;
struct pv_guide *pv_guide_new(const struct pv_task *task, struct pv_space *space,
                              struct pv_moves_cache *cache, bool lower, struct pv_result *result);
void pv_guide_free(struct pv_guide *g); /* NULL is fine */
/* From now on for the states of another space of the same program, borrowed; NULL: of none yet. */
void pv_guide_follow(struct pv_guide *g, struct pv_space *space, struct pv_moves_cache *cache);

/* The estimate of the state at hand, which is saved; PV_DISTANCE_NONE: by what is known no error
 * can be reached, which is only a sign, for what is not modelled as a distance. O(threads, frames,
 * targets). */
uint32_t pv_guide_estimate(struct pv_guide *g);
/* With `lower`: why estimates are 0 or no lower bounds, NULL: they are lower bounds. */
const char *pv_guide_lacks(const struct pv_guide *g);

#endif
