/* proof.h -- why a program has no error, as an engine found out: an invariant for every cut point,
 * in a form that hangs on nothing but the program, so that what re-checks it shares neither solver
 * nor symbolic states with the engine.
 *
 * Cut points are the heads of loops, the entries of recursive functions, and every other point that
 * has an invariant; they are pairs of a location and the calls that led to it. A *segment* is what
 * a run does between two of them. A proof says, for its number k (mostly 0): in a segment nothing
 * happens that the result's condition does not exclude, and at its end the invariant of its cut
 * point holds. This is shown for the first k + 1 segments of a run, and for a segment after k of
 * which it is known, from any state in the invariant that they began with (proof_check.h). With k =
 * 0 these are initiation, consecution and safety.
 *
 * References: Floyd, Symposia in Applied Mathematics 19, 1967; invariants as verification
 * witnesses: Beyer, Dangl, Dietsch, Heizmann, FSE 2016. */
#ifndef PV_PROOF_H
#define PV_PROOF_H

#include "cpa/context.h"

struct pv_proof;

/* An empty proof: no cut point is ever reached. It takes over which objects have addresses, which
 * operations wrap around, and which events were given up, as they are now: it is made when the
 * engine is done. NULL if the options do not ask for it (`--check-proof`). The caller frees. */
struct pv_proof *pv_proof_new(const struct pv_analysis_context *g);
void pv_proof_free(struct pv_proof *p); /* NULL is fine */
/* One more disjunct of the invariant at a point: the cells that `values` changed have the numbers
 * that they have there (NULL: nothing is said of them), and the formula holds, over entry constants
 * (NULL: true). */
void pv_proof_add(struct pv_proof *p, const struct pv_analysis_context *g, struct pv_point at,
                  const struct pv_sym *values, pv_term formula);
/* By k-induction: cut points that have no invariant have `true`. */
void pv_proof_by_induction(struct pv_proof *p, uint32_t k);

/* Re-checks the proof of a result that is `true` or conditional, and lists its invariants in the
 * result; the other results are left alone. What cannot be confirmed becomes a proviso, and what is
 * refuted the verdict `unknown`, with a reason. Frees the proof, which may be NULL. To be called
 * when the engine has freed what it had. */
void pv_proof_settle(struct pv_proof *p, const struct pv_task *task, struct pv_result *result);

#endif
