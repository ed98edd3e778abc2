/* record.h -- reads the parts of a --json file that a replay needs. The file is untrusted: every
 * field is checked before it is used. */
#ifndef PV_RECORD_H
#define PV_RECORD_H

#include "base/options.h"
#include "result/result.h"

struct pv_record {
  struct pv_options options; /* of the recorded check, with its files and arguments for clang */
  char *directory;           /* working directory of the check; NULL: unknown */
  struct pv_texts hashes;    /* of the files, "" if unknown */
  PV_VEC(struct pv_violation) violations; /* property, message, place, choices, inputs; no steps */
};

/* PV_E_INPUT: a message is in *err. The caller frees *out with pv_record_free in any case. */
enum pv_status pv_record_read(const char *path, struct pv_record *out, struct pv_str *err);
void pv_record_free(struct pv_record *record);

#endif
