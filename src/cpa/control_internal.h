/* control_internal.h -- shared by control.c (frames, moves of one thread, loops, orders),
 * control_tail.c (calls that are the last action of their function) and threads.c (the points of
 * several threads, and their moves). */
#ifndef PV_CONTROL_INTERNAL_H
#define PV_CONTROL_INTERNAL_H

#include "cpa/control.h"
#include "cpa/scheduler.h"

struct pv_control {
  const struct pv_program *program;
  const struct pv_points_to *points_to;
  uint32_t bound;
  PV_VEC(struct pv_frame) frames;
  struct pv_map index; /* struct frame_key -> frame */
  uint32_t *
      *order;      /* by function: the reverse postorder number of each location; computed lazily */
  bool *recursive; /* by function */
  bool **tails;    /* by function: by edge: is it a tail call? NULL: it has none */
  bool *rounds;    /* by function: does a tail call lead to it? */
  /* By function: for each location the set of heads of the loops around it; computed lazily. */
  struct bodies {
    uint64_t *in;
    uint32_t words;
    bool done;
  } * bodies;
  /* By function: the edges to each location, as linked lists of edge + 1; computed lazily. */
  struct incoming {
    uint32_t *first, *next;
  } * incoming;
  uint32_t *callees;              /* scratch: the callees of one call */
  struct pv_threads *threads;     /* NULL: one thread only */
  struct pv_scheduler *scheduler; /* NULL: none is executed */
  bool preempts;                  /* it is preemptive */
  struct pv_argument_source arguments;
  const void *state; /* whose moves are asked for; NULL: none */
};

/* The moves of one thread without regard to the scheduler. */
void pv_control_own_moves(struct pv_control *c, struct pv_point at, pv_moves *out);

/* ---- control_tail.c -------------------------------------------------------------------------- */
/* Finds the tail calls of recursive functions, for good. */
void pv_control_find_tails(struct pv_control *c);
/* Does the call, made in that frame, take the frame's place? */
bool pv_control_is_tail(const struct pv_control *c, uint32_t frame, uint32_t edge);

/* ---- threads.c ------------------------------------------------------------------------------- */
/* Appends the moves of all enabled threads at a point. */
void pv_threads_moves(struct pv_control *c, struct pv_point at, pv_moves *out);
struct pv_threads *
pv_threads_new(const struct pv_control *c); /* NULL: the program does not use the scheduler */
void pv_threads_free(struct pv_threads *t);

#endif
