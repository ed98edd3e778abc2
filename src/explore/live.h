/* live.h -- properties of whole executions: formulas of linear temporal logic, termination.
 *
 * The negation of a formula becomes a Buechi automaton (ltl/automaton.h). The search explores its
 * product with the states of the program, and looks for a cycle that can be reached, has all marks
 * of the automaton and, with option --fair, is fair. It is one depth-first search for strongly
 * connected components that keeps the union of the marks of each component found so far (Couvreur,
 * "On-the-fly verification of linear temporal logic", FM 1999). Fairness is one more mark for each
 * thread, on its transitions and on those from states in which it cannot move; so it costs no
 * copies of states.
 *
 * A letter is the set of propositions that hold in a state; a run reads the letters of the states
 * it passes. A program that has ended stays as it is for ever, and so does one whose threads all
 * wait for each other. A path that ends in any other way (abort, a false assumption) is no
 * execution.
 *
 * The states of the program and their transitions are kept as a graph beside the store, so each
 * transition is executed once, whatever the number of automaton states and formulas.
 *
 * Stores that may lose states cannot do that: see live_nested.h. */
#ifndef PV_LIVE_H
#define PV_LIVE_H

#include "explore/search.h"

/* Checks the temporal properties of the search's task. */
void pv_search_live(struct pv_search *s);

#endif
