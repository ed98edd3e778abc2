/* control.h -- where a thread is: a program point and the calls that led to it; and the moves from
 * there. The location and call-stack components of the analyses, which always go together.
 *
 * A *frame* is a function together with the frame and the call edge that called it; frames are
 * interned, so that a control state is the pair of a frame and a location. Frames of one function
 * that lie on one stack are told apart by their *instance*, 0 for the outermost: variables and
 * stack slots of a recursive function are different things in different instances. */
#ifndef PV_CONTROL_H
#define PV_CONTROL_H

#include "analysis/points_to.h"
#include "ir/ir.h"

#define PV_NO_FRAME UINT32_MAX

struct pv_frame {
  uint32_t parent; /* PV_NO_FRAME: the start function */
  uint32_t function;
  uint32_t call;     /* edge of the parent's function that called */
  uint32_t instance; /* frames of this function below */
  uint32_t depth;    /* frames below */
};
struct pv_point {
  uint32_t frame;
  pv_loc loc;
};
static inline bool pv_point_eq(struct pv_point a, struct pv_point b) {
  return a.frame == b.frame && a.loc == b.loc;
}

enum pv_move_kind {
  PV_MOVE_STEP,   /* an edge that stays in its frame */
  PV_MOVE_CALL,   /* into the function of frame `to.frame` */
  PV_MOVE_RETURN, /* out of the frame: to the end of the call edge of `frame` */
  PV_MOVE_END,    /* the path ends: STOP, or RETURN of the start function */
  PV_MOVE_CUT,    /* a call too deep: the path is not followed */
  PV_MOVE_NOWHERE /* a call through a pointer that no function's address reaches */
};
struct pv_move {
  enum pv_move_kind kind;
  uint32_t frame; /* before the move */
  uint32_t edge;  /* of the frame's function */
  struct pv_point to;
};
typedef PV_VEC(struct pv_move) pv_moves;

struct pv_control;
/* `bound`: nested instances of one function; a call beyond is a CUT. Borrows both. */
struct pv_control *pv_control_new(const struct pv_program *p, const struct pv_points_to *pt,
                                  uint32_t bound);
void pv_control_free(struct pv_control *c);
struct pv_point pv_control_start(struct pv_control *c);
const struct pv_frame *pv_control_frame(const struct pv_control *c, uint32_t frame);
const struct pv_function *pv_control_function(const struct pv_control *c, uint32_t frame);
static inline const struct pv_edge *pv_move_edge(const struct pv_control *c,
                                                 const struct pv_move *m) {
  return &pv_control_function(c, m->frame)->edges.at[m->edge];
}
/* The moves from a point, appended in the order of the edges (calls through pointers: of the
 * functions that the points-to sets name). */
void pv_control_moves(struct pv_control *c, struct pv_point at, pv_moves *out);
/* The moves that lead to a point in its frame: edges, returns from the functions called before it,
 * and, at the entry of its function, the call that made the frame. Appended. */
void pv_control_moves_to(struct pv_control *c, struct pv_point to, pv_moves *out);
/* The n-th frame of function `function` (its instance) on the stack of `frame`, or PV_NO_FRAME. */
uint32_t pv_control_instance(const struct pv_control *c, uint32_t frame, uint32_t function,
                             uint32_t instance);
/* Does the location lie in the (natural) loop of the head, both of this function? */
bool pv_control_in_loop(struct pv_control *c, uint32_t function, pv_loc head, pv_loc loc);
/* A topological order but for loops and recursion: negative if a comes before b. What is behind a
 * loop comes after all of the loop; a point inside a call comes between the points before and after
 * the call. */
int pv_control_order(struct pv_control *c, struct pv_point a, struct pv_point b);
/* Can a call lead from the function back to itself? */
bool pv_control_recursive(const struct pv_control *c, uint32_t function);
/* Is the point a head of a loop, or the entry of a recursive function? */
bool pv_control_is_head(const struct pv_control *c, struct pv_point at);
bool pv_control_is_entry(const struct pv_control *c, struct pv_point at); /* of any function */
/* The place in the source of what comes next at the point. */
uint32_t pv_control_span(const struct pv_control *c, struct pv_point at);
bool pv_control_is_exit(const struct pv_control *c, struct pv_point at); /* it returns from there */
/* "main" or "main > f > g", for people; appended. */
void pv_control_print(const struct pv_control *c, uint32_t frame, struct pv_str *out);

#endif
