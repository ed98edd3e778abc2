/* unfold.h -- an assumption automaton as a frontier, for engines that continue prefixes.
 *
 * All executions of the machine are followed from the start on, in every order of threads, until
 * the automaton comes to one of its sinks. An execution that comes to `verified` is left out; where
 * it comes to `open`, its prefix is open. So every execution is covered or continues exactly one
 * prefix. No reduction is used. So a search that never reverses the events of a prefix loses
 * nothing: the frontier covers or continues each other order of them by itself. */
#ifndef PV_UNFOLD_H
#define PV_UNFOLD_H

#include "engine.h"

/* Puts the frontier into *out; the caller frees it with pv_open_part_clear. Returns false if it is
 * of no use (everything is open, or there are too many prefixes), or if the properties are ones of
 * states: a state on the way to a prefix may violate them. */
bool pv_automaton_unfold(const struct pv_task *task, const struct pv_open_part *automaton,
                         struct pv_open_part *out);

#endif
