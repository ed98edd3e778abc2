/* path.h -- the execution at hand as choices of a machine that hides nothing and is not attended,
 * as everybody else has them. */
#ifndef PV_DPOR_PATH_H
#define PV_DPOR_PATH_H

#include "dpor/trace.h"

typedef PV_VEC(struct pv_choice) pv_choices;

void pv_dpor_path(const struct pv_trace *t, pv_choices *out); /* instead of what was there */

#endif
