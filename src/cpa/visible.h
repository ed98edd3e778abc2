/* visible.h -- at which operations threads switch, found out before anything is run: accesses to
 * memory that other threads may reach and that somebody writes, ends of the lives of such memory,
 * calls of the scheduler, allocations, beginnings of atomic sections, ends of paths. What the
 * machine parks at (vm/vm.h) is among them, but for inputs, which commute with everything.
 *
 * Everything else commutes with whatever other threads do, is never blocked, and cannot be told by
 * them, so that it can be run at once. A loop that could go round without coming to any of these
 * has a switch at its head: the others must not be put off for ever. */
#ifndef PV_VISIBLE_H
#define PV_VISIBLE_H

#include "analysis/points_to.h"

struct pv_visible;
struct pv_visible *pv_visible_new(const struct pv_program *p, const struct pv_points_to *pt);
void pv_visible_free(struct pv_visible *v); /* NULL is fine */
bool pv_visible_edge(struct pv_visible *v, uint32_t function, uint32_t edge);
/* Do threads switch before what comes next at the location? */
bool pv_visible_switch(struct pv_visible *v, uint32_t function, pv_loc loc);

#endif
