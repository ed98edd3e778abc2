/* changes.h -- assignments of a step as a person reads them: the elements of an array that change
 * in a row as one text or one range. */
#ifndef PV_REPORT_CHANGES_H
#define PV_REPORT_CHANGES_H

#include "result/result.h"

/* How many of the `n` changes one item stands for, at least 1. Sets *name and *value to what it
 * says if it is more than one: `path` and `"/tmp/"` for path[0] = 47 '/', path[1] = 116 't', ...;
 * `hist[0..9]` and `0` for ten elements with the same value. Both are appended to; the caller
 * clears them. */
uint32_t pv_report_run(const struct pv_change *changes, uint32_t n, struct pv_str *name,
                       struct pv_str *value);

#endif
