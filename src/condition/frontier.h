/* frontier.h -- frontiers as sets of executions: cutting one into parts, and uniting several.
 *
 * An execution is in a frontier if it continues an open prefix and does not begin there with a
 * transition of its sleep set. */
#ifndef PV_CONDITION_FRONTIER_H
#define PV_CONDITION_FRONTIER_H

#include "condition/condition.h"

/* The number of open prefixes, without those that are deferred. */
uint32_t pv_frontier_size(const struct pv_open_part *f);

/* Functions below leave out deferred prefixes without an open one below them. */

/* Distributes the open prefixes over `n` frontiers, parts[0 .. n), which the caller
 * zero-initialises and owns. None of them is empty if n <= pv_frontier_size(f). Sizes are not
 * known. Assumed is that open prefixes without an open prefix above them have equal sizes, and that
 * each of the others has half the size of the nearest open one above it. Deferred prefixes go to
 * all parts with an open one below them. */
void pv_frontier_cut(const struct pv_open_part *f, uint32_t n, struct pv_open_part *parts);

/* Adds to *out the open prefixes i with keep[i], each with its sleep set, and those above them.
 * None is deferred any more: who explored the others need not have watched. */
void pv_frontier_keep(const struct pv_open_part *f, const uint8_t *keep, struct pv_open_part *out);

/* Adds the executions of `from` to *to. Where both have the same prefix open, the transitions that
 * are asleep in both stay asleep, and it is deferred if it is in both. Leaves out prefixes that
 * continue an open one with an empty sleep set. */
void pv_frontier_unite(struct pv_open_part *to, const struct pv_open_part *from);

#endif
