/* regression.h -- a condition about an earlier version of a program, applied to the present one.
 *
 * What the earlier run covered still holds for executions that take only edges that were there
 * before. So open is what comes to a change. Functions are compared by content (fingerprint.h), not
 * by line, and those that differ statement by statement (outline.h): an edge was there before if
 * the earlier version had an equal one, up to the names of variables, at the place that corresponds
 * along the path from the beginning of the function.
 *
 * Reference: Beyer, Henzinger, Keremoglu, Wendler, "Conditional model checking", FSE 2012, section
 * 2 (regression verification). Deviation: where the earlier condition has open parts, or code runs
 * that no edge calls (threads, invariants, jumps), everything is open as soon as anything has
 * changed. */
#ifndef PV_REGRESSION_H
#define PV_REGRESSION_H

#include "condition/file.h"

/* Replaces *c, a condition about the program with the functions `was`, by one about p. *changed:
 * how many functions of p are new or changed. */
void pv_condition_translate(struct pv_condition *c, const struct pv_fingerprints *was,
                            const struct pv_program *p, uint32_t *changed);

#endif
