/* observer.h -- the analysis of observer automata. Its state is the tuple of the states of all
 * automata that were woven into the program (observer/observer.h). Abstract states with different
 * automaton states are neither merged nor compared. So a dispatch on the state of an automaton
 * takes one branch, without a predicate or a value for it.
 *
 * The analysis is exact, because the global of an automaton is only assigned constants, at the
 * edges that were woven in.
 *
 * Reference: observer automata as component analyses: Beyer, Keremoglu, Wendler (FMCAD 2010), and
 * Apel, Beyer, Mordan, Mutilin, Stahlbauer, "On-the-fly decomposition of specifications in software
 * model checking", FSE 2016. */
#ifndef PV_CPA_OBSERVER_H
#define PV_CPA_OBSERVER_H

#include "cpa/context.h"

struct pv_observers;
/* NULL: the program has no observer automata. Borrows p and control. */
struct pv_observers *pv_observers_new(const struct pv_program *p, struct pv_control *control);
void pv_observers_free(struct pv_observers *o); /* NULL is fine */
const struct pv_analysis *pv_observers_analysis(struct pv_observers *o);
/* The state of the n-th automaton in a state of the analysis. */
uint32_t pv_observers_state(const struct pv_observers *o, const void *state, uint32_t n);
/* The conjunction of `formula` (NULL: true) and the automaton states, over entry constants. */
pv_term pv_observers_term(const struct pv_observers *o, const struct pv_analysis_context *g,
                          const void *state, pv_term formula);

#endif
