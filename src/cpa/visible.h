/* visible.h -- the visible operations, at which threads may switch, determined statically: accesses
 * to memory that other threads may reach and some thread writes, the end of such memory's lifetime,
 * calls of the scheduler, allocations, beginnings of atomic sections, and ends of paths. They
 * include all operations at which the VM parks a thread (vm/vm.h), except inputs, which commute
 * with everything.
 *
 * All other operations are invisible: they never block and commute with every operation of other
 * threads. So they are executed without a switch. A loop that may run without a visible operation
 * has a switch at its head, so that other threads are not ignored for ever. */
#ifndef PV_VISIBLE_H
#define PV_VISIBLE_H

#include "analysis/points_to.h"

struct pv_visible;
struct pv_visible *pv_visible_new(const struct pv_program *p, const struct pv_points_to *pt);
void pv_visible_free(struct pv_visible *v); /* NULL is fine */
bool pv_visible_edge(struct pv_visible *v, uint32_t function, uint32_t edge);
/* May threads switch before the next operation at the location? */
bool pv_visible_switch(struct pv_visible *v, uint32_t function, pv_loc loc);

#endif
