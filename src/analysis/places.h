/* places.h -- an order of the locations of each function, for the cycle condition of partial-order
 * reduction.
 *
 * In a cycle of states every thread that moves returns to its location. So in any order of its
 * locations some transition of the thread does not advance. The search uses a reduced set only if
 * all of its transitions advance (explore/reduce.h). Any order is sound. A good order goes back
 * where reduction gains little anyway. So of every loop an edge is cut at which threads interfere
 * (it acquires a lock or accesses shared memory) rather than one that often runs alone (an unlock,
 * an input). The remaining graph is sorted topologically. The "sticky" transitions of Kurshan,
 * Levin, Minea, Peled, Yenigun, "Static partial order reduction", TACAS 1998, break every control
 * cycle in the same way, by a depth-first walk. */
#ifndef PV_PLACES_H
#define PV_PLACES_H

#include "ir/ir.h"

struct pv_places;
struct pv_places *pv_places_new(const struct pv_program *p); /* borrowed during the call */
void pv_places_free(struct pv_places *p);
/* The rank of the location in the order of its function. */
uint32_t pv_place(const struct pv_places *p, uint32_t function, pv_loc loc);

#endif
