/* symmetry.h -- symmetry between threads that run the same function. Where the scheduler may choose
 * among threads that are alike, one of them is examined for all.
 *
 * References: Ip, Dill, "Better verification through symmetry", FMSD 9, 1996; Emerson, Jha, Peled,
 * "Combining partial order and symmetry reductions", TACAS 1997. Deviation: states are not
 * permuted; only choices are left out (docs/esst.md has the proof). */
#ifndef PV_ESST_SYMMETRY_H
#define PV_ESST_SYMMETRY_H

#include "cpa/engine_predicate.h"
#include "cpa/future_effects.h"

struct pv_esst_symmetry;
/* NULL if the threads of the program can be told apart. Borrows all. */
struct pv_esst_symmetry *pv_esst_symmetry_new(const struct pv_composite_parts *parts,
                                              struct pv_future_effects *effects);
void pv_esst_symmetry_free(struct pv_esst_symmetry *y); /* NULL is fine */
/* Does exchanging the two threads map the abstract state, to which the choice leads, to itself, and
 * every run of the program from there to a run? */
bool pv_esst_symmetric(struct pv_esst_symmetry *y, const struct pv_move *choice,
                       const struct pv_composite *state, uint32_t a, uint32_t b);

#endif
