/* induction_state.h -- what k-induction needs to continue where it was: k, and the auxiliary
 * invariants found, as bytes of a condition (pv_engine_state).
 *
 * The bytes are not trusted. Each conjunct of an invariant comes back as a candidate, like one that
 * the engine guessed, and auxiliary.h drops what is not inductive. A k that is too large only makes
 * the engine begin there: what the base case may skip is decided by the bound in the condition. */
#ifndef PV_INDUCTION_STATE_H
#define PV_INDUCTION_STATE_H

#include "cpa/auxiliary.h"

struct pv_induction_state {
  uint32_t k;
  bool thorough; /* the invariants come from more than templates */
  struct pv_bytes invariants;
};
/* Adds the state to the condition. invariants[i]: of cut point i; NULL: none were found yet. */
void pv_induction_state_write(struct pv_analysis_context *g, const struct pv_segments *s,
                              uint32_t k, bool thorough, const pv_term *invariants,
                              struct pv_condition *out);
/* Returns false if the task's given condition has no such state. Bytes are borrowed from it. */
bool pv_induction_state_read(const struct pv_task *task, struct pv_induction_state *out);
/* Appends the kept invariants as candidates, as far as they speak of cut points and cells that
 * exist in the context by now. */
void pv_induction_state_candidates(struct pv_analysis_context *g, const struct pv_segments *s,
                                   const struct pv_induction_state *kept, pv_candidates *out);

#endif
