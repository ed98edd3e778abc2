/* control_internal.h -- between control.c (frames, moves of one thread, loops, orders) and
 * threads.c (where several threads are, and whose moves there are). */
#ifndef PV_CONTROL_INTERNAL_H
#define PV_CONTROL_INTERNAL_H

#include "cpa/control.h"

struct pv_control {
  const struct pv_program *program;
  const struct pv_points_to *points_to;
  uint32_t bound;
  PV_VEC(struct pv_frame) frames;
  struct pv_map index; /* struct frame_key -> frame */
  uint32_t **order;    /* by function: place of each location in reverse postorder; lazily */
  bool *recursive;     /* by function */
  /* By function: for each location the set of the loop heads whose loops it lies in; lazily. */
  struct bodies {
    uint64_t *in;
    uint32_t words;
    bool done;
  } * bodies;
  /* By function: the edges to each location, as lists of edge + 1, 0 the end; lazily. */
  struct incoming {
    uint32_t *first, *next;
  } * incoming;
  uint32_t *callees;          /* room for the callees of one call */
  struct pv_threads *threads; /* NULL: not allowed */
};

/* The moves of one thread, as if it were alone and the scheduler nothing. */
void pv_control_own_moves(struct pv_control *c, struct pv_point at, pv_moves *out);
/* The bottom frame of a thread but the first. start: the function it was created with, PV_NO_FUNC:
 * any. */
uint32_t pv_control_root(struct pv_control *c, uint32_t thread, uint32_t start);

/* ---- threads.c ------------------------------------------------------------------------------- */
/* The moves at a point of all threads that may move. */
void pv_threads_moves(struct pv_control *c, struct pv_point at, pv_moves *out);
struct pv_threads *pv_threads_new(const struct pv_control *c); /* NULL: the program calls nothing */
void pv_threads_free(struct pv_threads *t);

#endif
