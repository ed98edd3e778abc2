/* unfold.h -- an assumption automaton as a frontier, for engines that continue prefixes.
 *
 * All executions of the machine are followed from the start on, in every order of threads, until
 * the automaton comes to one of its sinks. An execution that comes to `verified` is left out; where
 * it comes to `open`, its prefix is open. So every execution is covered or continues exactly one
 * prefix. No reduction is used: a search that does not come back to the events of a prefix may rely
 * on it that every other order of them was decided by itself. */
#ifndef PV_UNFOLD_H
#define PV_UNFOLD_H

#include "engine.h"

/* The frontier in *out; the caller frees it with pv_open_part_clear. false: it is not worth it (all
 * is open, or there are too many prefixes), or the properties concern states, which those on the
 * way to a prefix may show. */
bool pv_automaton_unfold(const struct pv_task *task, const struct pv_open_part *automaton,
                         struct pv_open_part *out);

#endif
