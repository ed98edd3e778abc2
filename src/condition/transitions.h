/* transitions.h -- the transitions of an assumption automaton, to be looked up. */
#ifndef PV_CONDITION_TRANSITIONS_H
#define PV_CONDITION_TRANSITIONS_H

#include "condition/condition.h"

/* An automaton with tables to look its transitions up. */
struct pv_transitions {
  const struct pv_open_part *part; /* borrowed */
  struct pv_map moves;             /* state, thread, function, edge -> target */
  PV_VEC(uint32_t) first;          /* by state: its first move; one more at the end */
  PV_VEC(uint8_t) reaches[2];      /* by sink: the states that reach it */
};
void pv_transitions_read(struct pv_transitions *x,
                         const struct pv_open_part *part); /* *x is zero */
void pv_transitions_free(struct pv_transitions *x);
/* The target of the transition by the letter of the move; NULL: there is none. */
const uint32_t *pv_transitions_find(const struct pv_transitions *x, uint32_t state,
                                    const struct pv_automaton_move *letter);
/* Where the letter of the move leads from a state that is no sink. */
uint32_t pv_transitions_next(const struct pv_transitions *x, uint32_t state,
                             const struct pv_automaton_move *letter);

#endif
