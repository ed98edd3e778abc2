/* observer.h -- the component of observer automata: a state is the states of all automata that were
 * woven into the program (observer/observer.h), which are known everywhere. Abstract states in
 * which automata are in different states are neither merged nor compared, and a dispatch on the
 * state of an automaton goes one way only, without a predicate or a value for it.
 *
 * An automaton's global is written only by constants, at the edges that were woven: a state is
 * exact.
 *
 * Reference: observer automata as component analyses: Beyer, Keremoglu, Wendler (FMCAD 2010), and
 * Apel, Beyer, Mordan, Mutilin, Stahlbauer, "On-the-fly decomposition of specifications in software
 * model checking", FSE 2016. */
#ifndef PV_CPA_OBSERVER_H
#define PV_CPA_OBSERVER_H

#include "cpa/context.h"

struct pv_observers;
/* NULL: the program has no observer automata. Borrows both. */
struct pv_observers *pv_observers_new(const struct pv_program *p, struct pv_control *control);
void pv_observers_free(struct pv_observers *o); /* NULL is fine */
const struct pv_analysis *pv_observers_analysis(struct pv_observers *o);
/* The state of the n-th automaton in a state of the analysis. */
uint32_t pv_observers_state(const struct pv_observers *o, const void *state, uint32_t n);
/* `formula` (NULL: true) and that the automata are in these states, over entry constants. */
pv_term pv_observers_term(const struct pv_observers *o, const struct pv_analysis_context *g,
                          const void *state, pv_term formula);

#endif
