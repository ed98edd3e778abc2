/* ahead.h -- what an edge does, and what may still be done from a program point on, as effects on
 * objects of memory (analysis/effects.h): the static side of partial-order reduction. An operation
 * of one thread that conflicts with nothing that the others may still do makes a persistent set.
 *
 * Reference: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS
 * 1032, 1996. Conservative; objects are whole, flow is followed within functions. */
#ifndef PV_AHEAD_H
#define PV_AHEAD_H

#include "analysis/points_to.h"

/* A table of PV_EFF_*: by object of the points-to analysis, then two more: the set of threads, and
 * the allocator. Objects that only one thread can reach are left out. */
typedef const uint16_t *pv_effect_table;

struct pv_ahead;
struct pv_ahead *pv_ahead_new(const struct pv_program *p, const struct pv_points_to *pt);
void pv_ahead_free(struct pv_ahead *a); /* NULL is fine */
/* What one edge does; of a call, the call alone. Valid until the next call. */
pv_effect_table pv_ahead_edge(struct pv_ahead *a, uint32_t function, uint32_t edge);
/* What is done from the location until the function returns, by functions called and threads
 * created as well. */
pv_effect_table pv_ahead_from(struct pv_ahead *a, uint32_t function, pv_loc loc);
/* Is there something in `later` that conflicts with something in `now`? */
bool pv_ahead_conflict(const struct pv_ahead *a, pv_effect_table now, pv_effect_table later);
/* Can the edge be done whatever the others do, and does the thread go on behind it? */
bool pv_ahead_is_free(const struct pv_ahead *a, uint32_t function, uint32_t edge);

#endif
