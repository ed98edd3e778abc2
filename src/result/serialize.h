/* serialize.h -- encodes results as bytes, to send them between processes that work on the same
 * program. This is no file format: it has neither a version nor a fixed byte order. The reader
 * validates its input: it returns a result that satisfies the rules of result.h, or `false`. */
#ifndef PV_SERIALIZE_H
#define PV_SERIALIZE_H

#include "base/bytes.h"
#include "result/result.h"

/* Appends the encoded result to `out`. */
void pv_result_write(const struct pv_result *r, struct pv_str *out);
/* Decodes one result. The caller zero-initialises *out and frees it with pv_result_clear. Returns
 * false, with *out empty, unless the bytes encode exactly one result. */
bool pv_result_read(const void *bytes, size_t n, struct pv_result *out);

/* Writes the provisos that an engine has noted so far, without those of the limit that ended its
 * run, for an engine that continues it. The state of an engine keeps its own provisos, because the
 * condition around it may be another engine's. */
void pv_noted_put(const struct pv_condition *c, struct pv_str *out);
/* Adds what was noted to *c. false: the bytes are wrong. */
bool pv_noted_take(struct pv_condition *c, struct pv_bytes *in);
/* Write and read the counts of the statistics, for engines that continue a run. */
void pv_stats_put(const struct pv_stats *stats, struct pv_str *out);
bool pv_stats_take(struct pv_stats *stats, struct pv_bytes *in); /* false: the bytes are wrong */

#endif
