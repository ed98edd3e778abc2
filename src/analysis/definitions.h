/* definitions.h -- variables with one definition. The frontend adds a definition where a variable
 * may be used before it is set, so the only one dominates each use. */
#ifndef PV_DEFINITIONS_H
#define PV_DEFINITIONS_H

#include "ir/ir.h"

#define PV_DEFINED_BY_CALL UINT32_MAX       /* a parameter that only calls set */
#define PV_DEFINED_OFTEN   (UINT32_MAX - 1) /* by several edges, or not at all */

/* By variable: the index of the only edge that sets it, or one of these. The caller frees it. */
uint32_t *pv_definitions_new(const struct pv_program *p, const struct pv_function *f);

#endif
