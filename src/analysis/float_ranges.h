/* float_ranges.h -- which conversions of floats to integers are always in range. Intervals of float
 * expressions whose operands are integers, constants, and variables that a single assignment sets.
 * Bounds are computed by the operations themselves: rounding to nearest is monotone. */
#ifndef PV_FLOAT_RANGES_H
#define PV_FLOAT_RANGES_H

#include "ir/ir.h"

/* Marks conversions that are always in range (PV_XF_IN_RANGE), and takes out their checks. */
void pv_float_ranges_mark(struct pv_program *p);

#endif
