/* blast.h -- terms of bit-vectors, of floats, and of arrays of them, as circuits for a SAT solver.
 * Reads of arrays become case distinctions over the writes; reads of one array constant at equal
 * indices are made equal (Ackermann). Private to src/smt. */
#ifndef PV_SMT_BLAST_H
#define PV_SMT_BLAST_H

#include "smt/sat.h"
#include "smt/smt_internal.h"

struct pv_blast;
struct pv_blast *pv_blast_new(struct pv_smt *s, bool (*stop)(void *user), void *user);
void pv_blast_free(struct pv_blast *b); /* NULL is fine */
/* May terms that contain `has` be blasted? */
bool pv_blast_suits(uint8_t has);
/* The literal of a Boolean term. 0: it contains an operation that is not blasted, or it was
 * stopped. */
int pv_blast_literal(struct pv_blast *b, pv_term t);
struct pv_sat *pv_blast_sat(struct pv_blast *b);
/* After PV_SAT_YES: the value of a term that was blasted. Returns false if it was not. */
bool pv_blast_value(struct pv_blast *b, pv_term t, uint64_t *lo, uint64_t *hi);
/* A new model with the values of all constants that were blasted. The caller releases it; NULL if
 * it cannot be made. */
Z3_model pv_blast_model(struct pv_blast *b);

#endif
