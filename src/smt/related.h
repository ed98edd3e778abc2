/* related.h -- which conjuncts of a formula matter for some terms. Conjuncts are *related* if they
 * share a constant, or are both related to a third one. What is related to none of the terms
 * matters only in that it must be satisfiable (constraint independence: Cadar, Dunbar, Engler,
 * KLEE, OSDI 2008, section 3.3). */
#ifndef PV_SMT_RELATED_H
#define PV_SMT_RELATED_H

#include "smt/smt.h"

struct pv_related; /* remembers answers */
struct pv_related *pv_related_new(struct pv_smt *s);
void pv_related_free(struct pv_related *r); /* NULL is fine */

/* Reduces the formula to the conjuncts that are related to one of the terms. Returns UNSAT if the
 * others are unsatisfiable, SAT or UNKNOWN if they are satisfiable or may be. Each group of related
 * conjuncts is decided once. */
enum pv_smt_answer pv_related_reduce(struct pv_related *r, pv_term *formula, uint32_t n,
                                     const pv_term *terms);

#endif
