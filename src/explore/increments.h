/* increments.h -- what was added to the state of a search since it was written, in a file of its
 * own. Writing all states takes longer the more there are; with increments even a search with many
 * states may be killed at any time and loses little. */
#ifndef PV_INCREMENTS_H
#define PV_INCREMENTS_H

#include "base/bytes.h"
#include "explore/search.h"

/* The whole state was written, and has this hash: the file, if the task has one, begins anew with
 * the next increment. So the old one remains while another process still writes the state. */
void pv_increments_begin(struct pv_search *s, uint64_t state);
/* Is the file written in this run? */
bool pv_increments_are_written(const struct pv_search *s);
/* Between two transitions: appends what was added, if it is time. */
void pv_increments_write(struct pv_search *s);

struct pv_increments_file {
  char *bytes;                     /* owned */
  PV_VEC(struct pv_bytes) records; /* in `bytes` */
  size_t end;                      /* of the last record; 0: the file is of no use */
};
/* Reads the given file, untrusted bytes, for a state with this hash. *f is zero-initialised; there
 * may be no records. */
void pv_increments_read(const struct pv_task *task, uint64_t state, struct pv_increments_file *f);
void pv_increments_free(struct pv_increments_file *f);
/* After all records, if the task writes to the same file: goes on after the last one. */
void pv_increments_continue(struct pv_search *s, const struct pv_increments_file *f);

#endif
