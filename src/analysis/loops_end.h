/* loops_end.h -- which loops of a function certainly terminate; termination.h has the criterion. */
#ifndef PV_LOOPS_END_H
#define PV_LOOPS_END_H

#include "ir/ir.h"

/* By location, 1: the head of a loop that may not terminate. Every such cycle has a marked
 * location. The caller frees the array. */
uint8_t *pv_endless_loops(const struct pv_program *p, const struct pv_function *f);

#endif
