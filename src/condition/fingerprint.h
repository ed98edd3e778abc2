/* fingerprint.h -- hashes that tell whether a program, or a part of it, is the one that a condition
 * is about. */
#ifndef PV_FINGERPRINT_H
#define PV_FINGERPRINT_H

#include "ir/ir.h"

/* Identifies the program as engines see it: every edge, expression, global and place in the source,
 * with all numbers. Conditions refer to functions and edges by number, so a program with another
 * hash needs them translated. */
uint64_t pv_program_hash(const struct pv_program *p);

/* What the functions of a program do: hashes with names instead of numbers, and without places in
 * the source. Functions that a function calls count by name, globals by name and initial value. */
struct pv_fingerprints {
  uint64_t *function; /* by function; owned */
  uint32_t n;
  struct pv_str outlines; /* outline.h, as bytes, if the caller adds them */
};
struct pv_fingerprints pv_fingerprints_of(const struct pv_program *p);
void pv_fingerprints_free(struct pv_fingerprints *f);

/* For outlines: what an edge does, without the ends, variables and stack slots; appended. `hash` is
 * by expression (pv_fingerprint_exprs), which the caller frees; hash[0] is about all globals. */
uint64_t *pv_fingerprint_exprs(const struct pv_program *p);
void pv_fingerprint_edge(const struct pv_program *p, const struct pv_edge *e, const uint64_t *hash,
                         struct pv_str *out);

#endif
