/* letter.h -- the letter of a state: the set of propositions that hold in it. */
#ifndef PV_LETTER_H
#define PV_LETTER_H

#include "ltl/spec.h"
#include "vm/moves.h"

struct pv_letters {
  const struct pv_ltl_spec *spec;    /* borrowed */
  PV_VEC(struct pv_exclusion) place; /* by proposition */
  bool expressions;                  /* some proposition is one */
};
/* Finds the places that propositions name. Borrows `spec`; the caller clears *x. */
void pv_letters_init(struct pv_letters *x, const struct pv_program *p,
                     const struct pv_ltl_spec *spec);
void pv_letters_clear(struct pv_letters *x);
/* The letter of the state that is in the machine. rests: no thread can move. wrong: set to a
 * proposition that has no value there. Afterwards the machine executed something other than a
 * transition if there are expressions (pv_space_asked). */
uint64_t pv_letter(const struct pv_letters *x, struct pv_vm *vm, bool rests, uint32_t *wrong);
/* The letter of the state in which the program has ended in a state with this letter. */
uint64_t pv_letter_of_end(const struct pv_letters *x, uint64_t letter);

#endif
