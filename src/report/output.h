/* output.h -- writes files completely or not at all: into a temporary file in the same directory,
 * which is then renamed. Anything but a regular file (/dev/stdout, a pipe) is written directly. */
#ifndef PV_OUTPUT_H
#define PV_OUTPUT_H

#include "base/base.h"

/* Returns PV_E_INPUT, with a message in *err, if `path` could not be written now. Changes nothing.
 */
enum pv_status pv_output_probe(const char *path, struct pv_str *err);
/* Writes n bytes. PV_E_INPUT: *err says why it failed; the old file is unchanged. */
enum pv_status pv_output_write(const char *path, const char *text, size_t n, struct pv_str *err);

#endif
