/* express.h -- formulas over entry constants as C expressions, for people.
 *
 * Linear comparisons are sorted so that nothing is subtracted: `x + 1 <= y`. With integers that are
 * mathematical ones, so are sums: nothing wraps around, `div` and `mod` are those of SMT-LIB; a
 * variable that is kept as a number of the other signedness than its type has a cast. What C has no
 * words for is written as a function: `alive(x)`, `heap1(p)` for the size of the object at p. */
#ifndef PV_EXPRESS_H
#define PV_EXPRESS_H

#include "cpa/context.h"

/* Appends the formula as it is seen in `function`. From about `room` characters on operands are
 * left out ("..."); returns how many. The cells that have no name in the source are added to
 * `unnamed`. */
uint64_t pv_express(const struct pv_analysis_context *g, uint32_t function, pv_term formula,
                    size_t room, struct pv_str *out, pv_cells *unnamed);

#endif
