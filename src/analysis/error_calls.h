/* error_calls.h -- whether a program has an error of unreach-call at all. */
#ifndef PV_ERROR_CALLS_H
#define PV_ERROR_CALLS_H

#include "ir/ir.h"

/* May a function that can run have an error call, a failing assertion or an ERROR label? A function
 * can run if one that can run, or an object that one names, names it; so nothing depends on what is
 * in memory. Also true if the program's own code calls something that is not modelled, or if a path
 * is cut there by an option. */
bool pv_may_call_error(const struct pv_program *p);

#endif
