/* cnf.h -- questions about bit-vectors for the SAT solver. All assertions are assumptions there, so
 * that circuits and what was learnt serve later questions. Private to src/smt. */
#ifndef PV_SMT_CNF_H
#define PV_SMT_CNF_H

#include "smt/blast.h"

struct pv_cnf; /* the circuits of one solver stack */
/* Is the conjunction satisfiable? Between pv_smt_begin and pv_smt_end. Returns Z3_L_UNDEF at a
 * limit; *why is a reason in Z3's words then. *refused: some term cannot be blasted, and nothing
 * was decided. After Z3_L_FALSE appends those of the assumptions that are a core to `core`. Makes
 * *cnf if it is NULL. */
Z3_lbool pv_cnf_decide(struct pv_cnf **cnf, struct pv_smt *s, uint32_t n, const pv_term *asserted,
                       uint32_t assumed, const pv_term *assumptions, pv_terms *core,
                       const char **why, bool *refused);
void pv_cnf_free(struct pv_cnf *cnf); /* NULL is fine */
struct pv_blast *pv_cnf_blast(struct pv_cnf *cnf);

#endif
