/* loops_end.h -- which loops of a function end for certain; for termination.h, which says when. */
#ifndef PV_LOOPS_END_H
#define PV_LOOPS_END_H

#include "ir/ir.h"

/* By location, 1: a loop begins there (every cycle has such a location) that may go round for ever.
 * The caller frees it. */
uint8_t *pv_endless_loops(const struct pv_program *p, const struct pv_function *f);

#endif
