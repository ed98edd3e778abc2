/* weave_internal.h -- what the files weave*.c share: the weaver, and the places of a witness. One
 * module: weave (the code that follows a witness), weave_places (where its waypoints and invariants
 * are in the program). */
#ifndef PV_WITNESS_WEAVE_INTERNAL_H
#define PV_WITNESS_WEAVE_INTERNAL_H

#include "observer/weave.h"
#include "witness/weave.h"

enum { NO = UINT32_MAX };

/* Code to be added at an edge. */
struct site {
  uint32_t edge, item; /* item: a waypoint or an invariant */
  bool after;
  struct pv_observer_move at;
};

struct weaver {
  struct pv_weave w;
  struct pv_program *p;
  const struct pv_witness *witness;
  unsigned how;
  bool threads, numbers;         /* the program has threads; the witness numbers them */
  struct pv_automaton automaton; /* names the witness in messages */
  struct pv_woven_automaton woven;
  uint32_t position, pending, own; /* globals; own: thread-local, 1 + the witness's number */
  uint32_t observer;
  bool *used;      /* by item: a place was found */
  uint32_t *birth; /* by waypoint: the number of the thread that it creates; 0: none */
  bool *is_target; /* by edge of the current function: the goal is here */
  PV_VEC(struct site) sites;
};

/* Is there a message in x->w.err? */
bool pv_witness_failed(const struct weaver *x);
/* Writes the first message: the place in the witness, and the text. */
void pv_witness_wrong(struct weaver *x, const struct pv_witness_place *at, const char *fmt, ...)
    PV_PRINTF(3, 4);
/* Fills x->sites with the places of waypoints and invariants in the current function, x->is_target
 * and the program's goal. Fails at a waypoint that cannot be followed. */
void pv_witness_find_sites(struct weaver *x);

#endif
