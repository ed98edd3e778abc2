/* places.h -- an order of the program points of each function, for the cycle condition of
 * partial-order reduction.
 *
 * Around every cycle of states each thread that moves comes back to where it was, so that in any
 * order of its program points some transition of it does not lead forward. The search takes no
 * reduced set whose transitions do not (explore/reduce.h). Any order is right; a good one goes back
 * where reduction has little to win anyway: of every loop an edge is cut at which threads get into
 * each other's way (where a lock is taken, shared memory is accessed) rather than one that can
 * often be done alone (an unlock, an input), and what is left is sorted topologically. Cf. the
 * "sticky" transitions of Kurshan, Levin, Minea, Peled and Yenigun, "Static partial order
 * reduction", TACAS 1998, which break every cycle of control in the same way, by a depth-first
 * walk. */
#ifndef PV_PLACES_H
#define PV_PLACES_H

#include "ir/ir.h"

struct pv_places;
struct pv_places *pv_places_new(const struct pv_program *p); /* borrowed until here */
void pv_places_free(struct pv_places *p);
/* The number of the location in its function's order. */
uint32_t pv_place(const struct pv_places *p, uint32_t function, pv_loc loc);

#endif
