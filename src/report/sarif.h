/* sarif.h -- writes a result in the format of static analysers (OASIS SARIF 2.1.0), which editors
 * and code scanning read.
 *
 * Each violation is a result. Its first code flow is the whole error path as one thread flow, since
 * some viewers show only that one; the second one has a thread flow for each thread. Provisos are
 * notifications of the invocation, so that a conditional verdict raises no alarm. Services limit
 * the number of steps, so the middle of a long path is left out, and the message says so. */
#ifndef PV_REPORT_SARIF_H
#define PV_REPORT_SARIF_H

#include "report/report.h"

enum { PV_SARIF_STEPS = 1000 }; /* most steps of a code flow */

/* Appends the whole file. */
void pv_report_sarif(const struct pv_report *r, struct pv_str *out);

#endif
