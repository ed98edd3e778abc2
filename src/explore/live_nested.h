/* live_nested.h -- accepting cycles by nested depth-first search, for stores that may lose states.
 *
 * Such a store (visited.h) cannot rebuild states, so there is no graph of them and no search for
 * components (live.h). Instead one search visits the product of program and automaton; when it
 * leaves an accepting state, a second one looks for a way from there back to a state on the path of
 * the first (Courcoubetis, Vardi, Wolper, Yannakakis, FMSD 1, 1992, with the early detection of
 * Schwoon, Esparza, "A note on on-the-fly verification algorithms", TACAS 2005). The second search
 * has fingerprints of its own in the same store, so what the store says of the probability that it
 * lost something holds for both. Which threads move from a state depends on the state alone, so
 * both searches see the same reduced graph (Holzmann, Peled, Yannakakis, SPIN 1996).
 *
 * Several marks, and with fairness one for each thread, become levels: a state of the product also
 * has the number of marks that were passed in order since the last accepting state. So fairness
 * costs copies of states here. */
#ifndef PV_LIVE_NESTED_H
#define PV_LIVE_NESTED_H

#include "explore/live_graph.h"
#include "ltl/automaton.h"

struct pv_nested {
  struct pv_live *graph;          /* letters, and what the reduction needs */
  const struct pv_buchi *a;       /* of the negated formula */
  const struct pv_labels *labels; /* of the automaton */
  bool fair;                      /* only fair cycles */
  uint32_t number;                /* searches with different numbers do not share states */
  struct pv_error_path *found;    /* receives the choices and the loop */
};
/* The search's current state is the initial one, also afterwards. Returns whether there is an
 * accepting cycle. */
bool pv_live_nested(const struct pv_nested *n);

#endif
