/* nesting.h -- how many sections may be open at a location: atomic sections, or locks.
 *
 * A forward, interprocedural analysis. For each location and each number of sections that may be
 * open when the function is called, it computes the possible numbers at the location, and then
 * combines them with the numbers at calls. Numbers from 3 on are not distinguished. Calls are
 * matched with returns; so a function that opens and closes a section does not change its caller.
 * Conservative: all possible numbers are included. The identity of the object of a section is
 * ignored.
 *
 * It is the least fixed point over relations of 4 x 4 bits (the functional approach of Sharir,
 * Pnueli, "Two approaches to interprocedural data flow analysis", 1981). */
#ifndef PV_DISTANCE_NESTING_H
#define PV_DISTANCE_NESTING_H

#include "analysis/call_graph.h"

enum pv_nesting_kind {
  PV_NESTING_ATOMIC, /* atomic sections */
  PV_NESTING_LOCKS   /* locks of the scheduler; an attempt that may fail may have acquired one */
};

struct pv_nesting {
  uint32_t *first; /* by function: index of its first location in `open` */
  uint8_t *open;   /* bit n: n sections may be open; bit 3: three or more; 0: unreachable */
};

/* The caller frees it. Arguments are borrowed during the call. */
struct pv_nesting *pv_nesting_new(const struct pv_program *p, const struct pv_call_graph *calls,
                                  enum pv_nesting_kind kind);
void pv_nesting_free(struct pv_nesting *n); /* NULL is fine */

/* The numbers before the edges of the location. O(1). */
static inline uint8_t pv_nesting_at(const struct pv_nesting *n, uint32_t function, pv_loc loc) {
  return n->open[n->first[function] + loc];
}

#endif
