/* lasso.h -- checks an execution that repeats for ever, while it is replayed. The state after the
 * loop must equal that before it, byte by byte. The word of the propositions must violate the
 * formula, by the semantics of the logic and not by any automaton. Under option --fair, every
 * thread must move in the loop, or be unable to move in one of its states. */
#ifndef PV_LASSO_H
#define PV_LASSO_H

#include "explore/letter.h"

struct pv_lasso {
  const struct pv_task *task;
  struct pv_vm *vm;
  struct pv_ltl_spec spec;
  struct pv_letters reader;
  uint32_t loop; /* the number of choices before it */
  bool ended;    /* the program has ended */
  PV_VEC(uint64_t) letters;
  struct pv_str before; /* the state at its beginning */
  pv_threads fair;      /* threads that move in the loop, or cannot move in a state of it */
};
/* Begins a check; the loop begins after `loop` choices. Borrows all but the lasso, which the caller
 * clears. */
void pv_lasso_begin(struct pv_lasso *x, const struct pv_task *task, struct pv_vm *vm,
                    uint32_t loop);
/* The machine has executed the first n choices of the path. */
void pv_lasso_look(struct pv_lasso *x, uint32_t n);
/* The next choice is one of this thread. */
void pv_lasso_moves(struct pv_lasso *x, uint32_t n, unsigned thread);
/* The last choice, whose state was looked at unless the program ended with it, is number `n` - 1.
 * Does the lasso violate what the key names? */
bool pv_lasso_ends(struct pv_lasso *x, uint32_t n, const struct pv_error_key *wanted);
void pv_lasso_clear(struct pv_lasso *x);

/* Appends what an execution does that violates the claim. */
void pv_claim_message(const struct pv_claim *c, struct pv_str *out);
#endif
