/* future_effects.h -- the effects (analysis/effects.h) of an edge, and of everything that may
 * follow a program point, on objects of memory. They serve partial-order reduction: if an operation
 * of one thread conflicts with no future operation of the other threads, it is a persistent set by
 * itself.
 *
 * Reference: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS
 * 1032, 1996. Conservative: objects are not divided into fields; flow-sensitive within functions.
 */
#ifndef PV_FUTURE_EFFECTS_H
#define PV_FUTURE_EFFECTS_H

#include "analysis/points_to.h"

/* A table of PV_EFF_* sets: one for each object of the points-to analysis, then one for the set of
 * threads and one for the allocator. Objects that only one thread can reach have no effects. */
typedef const uint16_t *pv_effect_table;

struct pv_future_effects;
struct pv_future_effects *pv_future_effects_new(const struct pv_program *p,
                                                const struct pv_points_to *pt);
uint32_t pv_future_effects_size(const struct pv_future_effects *a); /* of a table, in words */
void pv_future_effects_free(struct pv_future_effects *a);           /* NULL is fine */
/* The effects of one edge, without those of a callee. Valid until the next call of a function of
 * this module. */
pv_effect_table pv_future_effects_of_edge(struct pv_future_effects *a, uint32_t function,
                                          uint32_t edge);
/* The effects of everything from the location until the function returns, including callees and
 * threads created. */
pv_effect_table pv_future_effects_from(struct pv_future_effects *a, uint32_t function, pv_loc loc);
/* Does some effect in `later` conflict with some effect in `now`? */
bool pv_future_effects_conflict(const struct pv_future_effects *a, pv_effect_table now,
                                pv_effect_table later);
/* Is the edge always enabled, and does the thread always continue after it? */
bool pv_future_effects_always_continues(const struct pv_future_effects *a, uint32_t function,
                                        uint32_t edge);

#endif
