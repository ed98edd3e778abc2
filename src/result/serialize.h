/* serialize.h -- results as bytes, for the way from one process to another that runs the same
 * program. No format for files: it has no version and says nothing of byte order. The reader takes
 * nothing for granted: whatever it is given, it ends in a result that keeps the rules of result.h
 * or in `false`. */
#ifndef PV_SERIALIZE_H
#define PV_SERIALIZE_H

#include "result/result.h"

/* Adds all of the result to `out`. */
void pv_result_write(const struct pv_result *r, struct pv_str *out);
/* *out is zero-initialised by the caller, who frees it with pv_result_clear; false: these are not
 * exactly the bytes of one result, and *out is empty. */
bool pv_result_read(const void *bytes, size_t n, struct pv_result *out);

#endif
