/* slice_criterion.h -- criteria of slices as users write them: the value of a variable in a line.
 */
#ifndef PV_SLICE_CRITERION_H
#define PV_SLICE_CRITERION_H

#include "analysis/slice.h"

/* Appends the statements of "FILE:LINE:VAR": those of that line that read or write the variable, a
 * local, a parameter or a global. FILE is the name of the file or the end of its path. PV_E_INPUT
 * with a message in *err: it has another form, or there is no such statement. */
enum pv_status pv_slice_criterion(const struct pv_program *p, const char *text, pv_statements *out,
                                  struct pv_str *err);

#endif
