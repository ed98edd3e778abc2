/* regression.h -- a condition about an earlier version of a program, applied to the present one.
 *
 * What the earlier run covered still holds for executions in which no function is called that has
 * changed since. So open is what calls one. Functions are compared by content (fingerprint.h), not
 * by line.
 *
 * Reference: Beyer, Henzinger, Keremoglu, Wendler, "Conditional model checking", FSE 2012, section
 * 2 (regression verification). Deviations: whole functions are compared, not statements. Where the
 * earlier condition has open parts, or code runs that no edge calls (threads, invariants, jumps),
 * everything is open as soon as anything has changed. */
#ifndef PV_REGRESSION_H
#define PV_REGRESSION_H

#include "condition/file.h"

/* Replaces *c, a condition about the program with the functions `was`, by one about p. *changed:
 * how many functions of p are new or changed. */
void pv_condition_translate(struct pv_condition *c, const struct pv_fingerprints *was,
                            const struct pv_program *p, uint32_t *changed);

#endif
