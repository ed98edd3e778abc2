/* assumed.h -- the assumptions of a run that an option would lift (PV_ASSUMPTIONS).
 *
 * Only assumptions that can matter to the program are reported: a program that allocates nothing
 * needs no remark about allocation. Properties that the user did not ask for are reported only if
 * the user named none at all. */
#ifndef PV_ASSUMED_H
#define PV_ASSUMED_H

#include "base/options.h"
#include "ir/ir.h"

/* Returns a set of bits, one for each enum pv_assumption of result/result.h. */
uint32_t pv_assumed(const struct pv_program *p, const struct pv_options *options);

#endif
