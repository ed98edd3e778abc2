/* split.h -- a condition as a unit of work: cut into parts for several machines, and joined again.
 *
 * A part covers nothing but what the whole condition covers, and leaves open its share of the rest.
 * Of the other shares it knows nothing, so it has an assumption, a proviso of kind SHARE: that the
 * other parts have no error. Whoever explores the part keeps this assumption. When all parts are
 * joined, they discharge it. Parts may be split again. */
#ifndef PV_CONDITION_SPLIT_H
#define PV_CONDITION_SPLIT_H

#include "condition/file.h"

/* Adds the assumption of part `number` of `of`, from 1, of a split with this name. */
struct pv_share {
  uint32_t number, of;
  uint64_t split;
};
void pv_condition_add_share(struct pv_condition *c, struct pv_share s, pv_properties about);

/* Cuts what the condition leaves open into n parts, parts[0 .. n), which the caller
 * zero-initialises and owns. PV_E_INPUT with a message in *err if it is no frontier, or has fewer
 * prefixes than n. */
enum pv_status pv_condition_split(const struct pv_condition_file *whole, uint32_t n,
                                  struct pv_condition *parts, struct pv_str *err);

/* Joins conditions of all parts of a split: open is what some part leaves open, and all assumptions
 * hold, except that about other parts. The files may be the parts themselves, or what runs under
 * them have written. Of a part that was split, its parts may be given instead. Errors that were
 * found add up. PV_E_INPUT with a message in *err: they are about different programs, options or
 * properties, or a part is missing. names: of the files, for messages. *out: its options are
 * borrowed from files[0]; the caller frees the rest with pv_condition_file_clear after it has
 * zeroed them. */
enum pv_status pv_condition_join(const struct pv_condition_file *files, const char *const *names,
                                 uint32_t n, struct pv_condition_file *out, struct pv_str *err);

#endif
