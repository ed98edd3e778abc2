/* outputs.h -- the files of a result that options ask for: JSON, harness, coverage, report, SARIF,
 * JUnit. Each name `-` is standard output; the text for people is written to standard error then.
 */
#ifndef PV_CLI_OUTPUTS_H
#define PV_CLI_OUTPUTS_H

#include "base/options.h"

#include <proviso.h>

/* Checks before a long run that the files can be written. Returns 0 or the exit status, with a
 * message on stderr. */
int pv_outputs_probe(const struct pv_options *o);
/* Does one of them take standard output? Then the text for people goes to standard error. */
bool pv_outputs_take_standard_output(const struct pv_options *o);
/* Writes `text` to the file, or to standard output. Returns 0 or the exit status. */
int pv_outputs_write(const struct pv_texts *path, const char *text);
/* Writes all files that the options of p ask for. Call it before the result is printed, because it
 * adds notes. Returns 0 or the exit status of the first one that failed. */
int pv_outputs_write_all(proviso *p);
/* The options that name these files, by number. */
unsigned pv_outputs_count(void);
struct pv_texts *pv_outputs_path(struct pv_options *o, unsigned i);
/* Copies the options that name these files. */
void pv_outputs_take_over(struct pv_options *to, const struct pv_options *from);

#endif
