/* harness.h -- writes a C file with which a native run of the program reproduces a recorded error.
 * The file is linked with the program. It defines the verifier functions (__VERIFIER_nondet_int and
 * so on) that the program leaves undefined, and returns the recorded inputs in their order. It
 * cannot reproduce the schedule of threads, nor inputs from other sources (the C library,
 * indeterminate memory), and says so.
 *
 * The exit status of the linked program is
 *   PV_HARNESS_ERROR    if an error function is called or an assertion of the harness fails;
 *   PV_HARNESS_OFF      if the program requests more inputs than were recorded: it is on another
 *                       path;
 *   PV_HARNESS_ASSUMED  if an assumption is false.
 * All other errors appear as in any native run. */
#ifndef PV_HARNESS_H
#define PV_HARNESS_H

#include "base/options.h"
#include "ir/ir.h"
#include "result/result.h"

enum { PV_HARNESS_ERROR = 107, PV_HARNESS_OFF = 108, PV_HARNESS_ASSUMED = 109 };

/* Appends the file for the first violation to `out`, and adds its limitations to the notes of `r`.
 * Returns NULL, or the reason why there is no file (a static string). */
const char *pv_report_harness(const struct pv_program *p, const struct pv_options *o,
                              struct pv_result *r, struct pv_str *out);

#endif
