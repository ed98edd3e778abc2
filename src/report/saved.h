/* saved.h -- reads a whole result from a --json file, to report it again. What the file says is not
 * checked against the program; errors that are to be believed are replayed (record.h). */
#ifndef PV_SAVED_H
#define PV_SAVED_H

#include "report/record.h"

struct pv_saved {
  struct pv_record record; /* its options and files */
  struct pv_result result;
  char *command, *engine; /* NULL: not said */
};
/* PV_E_INPUT: a message is in *err. Caller frees *out with pv_saved_free in any case. */
enum pv_status pv_saved_read(const char *path, struct pv_saved *out, struct pv_str *err);
void pv_saved_free(struct pv_saved *s);

#endif
