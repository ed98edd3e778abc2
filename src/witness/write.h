/* write.h -- writes a result as a verification witness in YAML (witness.h).
 *
 * A violation is written as far as others can follow it: the results of input functions, the
 * creation of threads, where threads take turns, and the target, in the order of the path. Lines
 * have no columns, because validators disagree on which column of a call is meant. A proof is
 * written as the invariants of loops that the engine found.
 *
 * Apart from the time, which SOURCE_DATE_EPOCH can fix, the text depends on its input only. */
#ifndef PV_WITNESS_WRITE_H
#define PV_WITNESS_WRITE_H

#include "base/options.h"
#include "result/result.h"

/* Appends the witness. preemptive: threads may be interrupted (struct pv_sched). Returns NULL, or
 * why there is none (static). */
const char *pv_witness_write(const struct pv_options *o, const struct pv_result *r,
                             const char *version, bool preemptive, struct pv_str *out);

#endif
