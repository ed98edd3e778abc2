/* harness.h -- a C file that stands for the environment in which a recorded error happens: linked
 * with the program, it defines the functions for verifiers that the program leaves undefined, and
 * its inputs come in the recorded order. What it cannot reproduce, it says: the schedule of
 * threads, inputs that come from elsewhere (the C library, memory that was never set).
 *
 * The program that is built ends with PV_HARNESS_ERROR where an error function is called or an
 * assertion of the harness's fails; with PV_HARNESS_OFF where it asks for inputs that were not
 * recorded, so that it is on another path; with PV_HARNESS_ASSUMED where an assumption is false.
 * All other errors show themselves as they do in a native run. */
#ifndef PV_HARNESS_H
#define PV_HARNESS_H

#include "base/options.h"
#include "ir/ir.h"
#include "result/result.h"

enum { PV_HARNESS_ERROR = 107, PV_HARNESS_OFF = 108, PV_HARNESS_ASSUMED = 109 };

/* Adds the file for the first violation to `out`, and what a user has to know to the notes of `r`.
 * NULL, or why there is none. */
const char *pv_report_harness(const struct pv_program *p, const struct pv_options *o,
                              struct pv_result *r, struct pv_str *out);

#endif
