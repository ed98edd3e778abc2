/* express.h -- prints formulas over entry constants as C expressions.
 *
 * Linear comparisons are arranged without subtraction: `x + 1 <= y`. If integers are encoded as
 * mathematical ones, sums do not wrap around, and `div` and `mod` are those of SMT-LIB. A variable
 * that is encoded with the other signedness than its type has a cast. Notions that C lacks are
 * written as functions: `alive(x)`, `heap1(p)` for the size of the object at p. */
#ifndef PV_EXPRESS_H
#define PV_EXPRESS_H

#include "cpa/context.h"

/* Appends the formula, with names as seen from `function`. After about `room` characters operands
 * are left out ("..."); returns their number. Cells without a name in the source are added to
 * `unnamed`. */
uint64_t pv_express(const struct pv_analysis_context *g, uint32_t function, pv_term formula,
                    size_t room, struct pv_str *out, pv_cells *unnamed);

#endif
