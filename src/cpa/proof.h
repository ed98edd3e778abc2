/* proof.h -- the proof behind a verdict: an invariant for every cut point, or that all loops come
 * to an end (bounded model checking). A proof depends only on the program. So the check shares
 * neither the solver nor the symbolic states with the engine.
 *
 * Cut points are loop heads, entries of recursive functions, and all other points with an
 * invariant. A cut point is a location with its call stack. A *segment* is the part of a run
 * between two cut points. A proof with induction depth k, mostly 0, claims for every segment: no
 * event happens that the condition of the result does not exclude, and the invariant holds at its
 * end. The check (proof_check.h) shows this for the first k + 1 segments of a run, and for each
 * segment that follows k segments for which it holds, from any state in the invariant at their
 * beginning. With k = 0 these are initiation, consecution and safety.
 *
 * A proof by unwinding claims that no execution goes on for ever, and that in none an event happens
 * that the condition does not exclude. The check unwinds the loops itself: at the head of each
 * iteration it asks whether a path leads there. It asks about each event alone, and Z3 also where
 * the engine used a SAT solver.
 *
 * References: Floyd, Symposia in Applied Mathematics 19, 1967; invariants as verification
 * witnesses: Beyer, Dangl, Dietsch, Heizmann, FSE 2016. */
#ifndef PV_PROOF_H
#define PV_PROOF_H

#include "cpa/context.h"

struct pv_proof;

/* Creates a proof that claims that no cut point is reachable. It copies which objects have
 * addresses, which operations wrap around, and which events were given up; so it must be created
 * when the engine is done. Returns NULL without `--check-proof`, and if executions are left out
 * that a given condition covers. The caller frees it. */
struct pv_proof *pv_proof_new(const struct pv_analysis_context *g);
void pv_proof_free(struct pv_proof *p); /* NULL is fine */
/* Adds a disjunct to the invariant at a point: the cells that `values` changed have the constants
 * that it assigns to them (NULL: no cells), and the formula over entry constants holds (NULL:
 * true). */
void pv_proof_add(struct pv_proof *p, const struct pv_analysis_context *g, struct pv_point at,
                  const struct pv_sym *values, pv_term formula);
/* Makes it a proof by k-induction. The invariant of other cut points is `true`. */
void pv_proof_by_induction(struct pv_proof *p, uint32_t k);
/* Makes it a proof by unwinding, in a context as pv_context_new_objects makes it with `arrays`,
 * which is copied. The engine needed this many abstract states. */
void pv_proof_by_unwinding(struct pv_proof *p, const bool *arrays, uint32_t places,
                           uint64_t states);

/* Checks the proof of a result that is `true` or `conditional`, and lists its invariants in the
 * result. An unconfirmed proof becomes a proviso; a refuted one makes the verdict `unknown`, with a
 * reason. Other results are not changed. Frees the proof, which may be NULL. Call it after the
 * engine has freed its own tables. */
void pv_proof_finish(struct pv_proof *p, const struct pv_task *task, struct pv_result *result);

#endif
