/* output.h -- files are written whole or not at all: into a temporary file in the same folder that
 * then takes the name. What is not a regular file (/dev/stdout, a pipe) is written directly. */
#ifndef PV_OUTPUT_H
#define PV_OUTPUT_H

#include "base/base.h"

/* PV_E_INPUT with a message if `path` could not be written now; changes nothing. */
enum pv_status pv_output_probe(const char *path, struct pv_str *err);
enum pv_status pv_output_write(const char *path, const char *text, size_t n, struct pv_str *err);

#endif
