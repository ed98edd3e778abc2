/* live_graph.h -- the states of the program as a graph: transitions, letters, who can move. It is
 * made as the search asks for it. */
#ifndef PV_LIVE_GRAPH_H
#define PV_LIVE_GRAPH_H

#include "explore/letter.h"
#include "explore/search.h"

struct pv_live_edge {
  uint32_t to;
  uint16_t alternative;
  uint16_t thread; /* PV_LIVE_STAYS: nothing happens */
};
enum { PV_LIVE_STAYS = UINT16_MAX };
struct pv_live_state {
  uint32_t store;    /* its number in the store; UINT32_MAX: the program has ended */
  uint32_t first, n; /* its edges, once it is expanded */
  bool expanded;
  uint64_t letter; /* once it is expanded */
  pv_threads able; /* threads that can move, spurious wake-ups aside */
};
struct pv_live {
  struct pv_search *s;
  struct pv_letters letters;
  uint8_t *watched; /* by global: some proposition reads it; NULL: not known; owned */
  PV_VEC(struct pv_live_state) state; /* 0: the initial state */
  PV_VEC(struct pv_live_edge) edge;
  PV_VEC(uint32_t) of_store; /* by number in the store: 1 + number here; 0: none */
  struct pv_map ended;       /* letters of states in which the program has ended */
};
/* The search's machine is in the initial state. Both borrowed. Without an exact store there are no
 * states in the graph; only letters and movers can be asked for (live_nested.h). */
void pv_live_init(struct pv_live *g, struct pv_search *s, const struct pv_ltl_spec *spec);
void pv_live_free(struct pv_live *g);
/* Finds the transitions and the letter of a state. */
void pv_live_expand(struct pv_live *g, uint32_t state);
/* The letter of the current state. rests: no thread can move. */
uint64_t pv_live_letter(struct pv_live *g, bool rests);
/* A transition from the current state ended with an error, which the properties do not ask for. */
void pv_live_passed_error(struct pv_live *g);
/* live_reduce.c: can partial-order reduction be used for the temporal properties of the task? */
bool pv_live_may_reduce(const struct pv_task *task, const struct pv_ltl_spec *spec);
/* The globals that propositions read; NULL: not known. The caller frees it. */
uint8_t *pv_live_watched(const struct pv_program *p, const struct pv_options *o,
                         const struct pv_ltl_spec *spec);
/* The threads to explore from the current state, whose moves were found. If a transition of them
 * goes back (pv_space_step) or ends the path, all have to move. */
pv_threads pv_live_movers(struct pv_live *g);

#endif
