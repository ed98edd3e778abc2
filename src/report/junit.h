/* junit.h -- writes the verdict as test cases in the XML format of JUnit, which build servers read:
 * one case for each property that was asked for. It fails if the property is violated, is skipped
 * if it holds under a proviso only or was not decided, and is an error if nothing is proven. */
#ifndef PV_REPORT_JUNIT_H
#define PV_REPORT_JUNIT_H

#include "report/report.h"

/* Appends the whole file. */
void pv_report_junit(const struct pv_report *r, struct pv_str *out);

#endif
