/* assumed.h -- what a run took for granted that an option would have looked at (PV_ASSUMPTIONS).
 *
 * Only what can matter to this program is told: a program that allocates nothing needs no word on
 * allocation. The properties that a user names are a choice; only the default ones are told. */
#ifndef PV_ASSUMED_H
#define PV_ASSUMED_H

#include "base/options.h"
#include "ir/ir.h"

/* A bit for each enum pv_assumption of result/result.h. */
uint32_t pv_assumed(const struct pv_program *p, const struct pv_options *options);

#endif
