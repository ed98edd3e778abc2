/* interval.h -- the abstract domain of intervals.h: an interval of integers, and how many of the
 * low bits are zero.
 *
 * A value of at most 64 bits is taken as a signed number of its width (an i1 is 0 or -1); of a
 * wider one and of a float nothing is known. Arithmetic is modulo 2^width, as pv_compute's: what
 * may wrap around may be anything, and so is what is undefined. */
#ifndef PV_INTERVAL_H
#define PV_INTERVAL_H

#include "ir/ir.h"

struct pv_interval {
  int64_t lo, hi;     /* both included; lo > hi: no value at all */
  unsigned zero_bits; /* at the low end, at most 64; of a pointer: how it is aligned */
};

static inline bool pv_interval_is_empty(struct pv_interval a) {
  return a.lo > a.hi;
}
static inline bool pv_interval_equal(struct pv_interval a, struct pv_interval b) {
  return a.lo == b.lo && a.hi == b.hi && a.zero_bits == b.zero_bits;
}
struct pv_interval pv_interval_none(void);
struct pv_interval pv_interval_any(pv_type t);
struct pv_interval pv_interval_constant(pv_type t, uint64_t bits);
struct pv_interval pv_interval_join(struct pv_interval a, struct pv_interval b);
/* What the operation `n` on one operand (b is any) or two, of type `from`, may give. */
struct pv_interval pv_interval_compute(const struct pv_expr_node *n, pv_type from,
                                       struct pv_interval a, struct pv_interval b);
/* Leaves of *a and *b, two integers of one type, what they may be where `a op b` holds. `op` is one
 * of EQ, NE, ULT, ULE, SLT, SLE; others leave all. */
void pv_interval_assume(unsigned op, struct pv_interval *a, struct pv_interval *b);
/* Does `a op b` hold for all of them? False if that is not known. */
bool pv_interval_holds(unsigned op, struct pv_interval a, struct pv_interval b);

#endif
