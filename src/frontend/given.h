/* given.h -- what options say that the program's caller gives (--args, --env, --stdin, --file). */
#ifndef PV_FRONTEND_GIVEN_H
#define PV_FRONTEND_GIVEN_H

#include "frontend/frontend_internal.h"

/* Sets the variables of the models that hold it. To be called when these are linked. Wrong values,
 * and files that cannot be read or are too large, are PV_E_INPUT. */
enum pv_status pv_fe_give(struct pv_fe *fe);

/* Is it a constant that says what kind of program it is (models/file_use.c)? Then its value. */
bool pv_fe_flag(LLVMValueRef variable, uint64_t *value);

#endif
