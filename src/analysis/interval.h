/* interval.h -- the abstract domain of intervals.h: an interval of integers and the number of low
 * bits that are zero.
 *
 * A value of at most 64 bits is a signed number of its width (an i1 is 0 or -1). Nothing is known
 * of wider values and floats. Arithmetic is modulo 2^width, as in pv_compute. A result that may
 * wrap around or is undefined may be any value. */
#ifndef PV_INTERVAL_H
#define PV_INTERVAL_H

#include "ir/ir.h"

struct pv_interval {
  int64_t lo, hi; /* inclusive; lo > hi: the empty interval */
  /* The number of low bits that are zero, at most 64; of a pointer: its alignment. */
  unsigned zero_bits;
};

static inline bool pv_interval_is_empty(struct pv_interval a) {
  return a.lo > a.hi;
}
static inline bool pv_interval_equal(struct pv_interval a, struct pv_interval b) {
  return a.lo == b.lo && a.hi == b.hi && a.zero_bits == b.zero_bits;
}
/* The empty interval; all values of the type; one value, given by its bits; the least interval that
 * contains both. */
struct pv_interval pv_interval_none(void);
struct pv_interval pv_interval_any(pv_type t);
struct pv_interval pv_interval_constant(pv_type t, uint64_t bits);
struct pv_interval pv_interval_join(struct pv_interval a, struct pv_interval b);
/* The possible results of operation `n` on one operand (b is ignored) or two of type `from`. */
struct pv_interval pv_interval_compute(const struct pv_expr_node *n, pv_type from,
                                       struct pv_interval a, struct pv_interval b);
/* Restricts *a and *b, integers of one type, by the assumption `a op b`. `op` is EQ, NE, ULT, ULE,
 * SLT or SLE; other operations restrict nothing. */
void pv_interval_assume(unsigned op, struct pv_interval *a, struct pv_interval *b);
/* Does `a op b` hold for all values? false if that is not known. */
bool pv_interval_holds(unsigned op, struct pv_interval a, struct pv_interval b);

#endif
