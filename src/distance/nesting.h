/* nesting.h -- how many sections may be open where: of atomic sections, or of locks.
 *
 * Forwards and interprocedural: for each location of each function, and each number of sections
 * that may be open when the function is called, the numbers that may be open at the location; then
 * the numbers that calls bring. Numbers from 3 on are one. Calls are matched with returns, so that
 * a function which opens and closes tells its callers nothing. Conservative: all numbers that are
 * possible are told. Which object a section belongs to is not looked at.
 *
 * Least fixpoint over relations of 4 x 4 bits (the functional approach of Sharir and Pnueli, "Two
 * approaches to interprocedural data flow analysis", 1981). */
#ifndef PV_DISTANCE_NESTING_H
#define PV_DISTANCE_NESTING_H

#include "analysis/call_graph.h"

enum pv_nesting_kind {
  PV_NESTING_ATOMIC, /* atomic sections */
  PV_NESTING_LOCKS   /* objects of the scheduler that are taken and given back; an attempt that may
                        fail may have taken one */
};

struct pv_nesting {
  uint32_t *first; /* by function: its first location in `open` */
  uint8_t *open;   /* bit n: n sections may be open; bit 3: three or more; 0: never reached */
};

/* The caller frees it; nothing is borrowed. */
struct pv_nesting *pv_nesting_new(const struct pv_program *p, const struct pv_call_graph *calls,
                                  enum pv_nesting_kind kind);
void pv_nesting_free(struct pv_nesting *n); /* NULL is fine */

/* Before the edges of the location. O(1). */
static inline uint8_t pv_nesting_at(const struct pv_nesting *n, uint32_t function, pv_loc loc) {
  return n->open[n->first[function] + loc];
}

#endif
