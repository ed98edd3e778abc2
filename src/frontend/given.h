/* given.h -- the parts of the program's environment that options fix (--args, --env, --stdin,
 * --file). */
#ifndef PV_FRONTEND_GIVEN_H
#define PV_FRONTEND_GIVEN_H

#include "frontend/frontend_internal.h"

/* Sets the variables of the models that hold them. Call it after the models are linked.
 * PV_E_INPUT for wrong values and for files that cannot be read or are too large. */
enum pv_status pv_fe_give(struct pv_fe *fe);

/* Is it one of the constants that say which features the program uses (models/file_use.c)? Then
 * *value is set. */
bool pv_fe_flag(LLVMValueRef variable, uint64_t *value);

#endif
