/* control.h -- where a thread is: a program point and the calls that led to it; and the moves from
 * there. The location and call-stack components of the analyses, which always go together.
 *
 * A *frame* is a function together with the frame and the call edge that called it; frames are
 * interned, so that a control state is the pair of a frame and a location. Frames of one function
 * that lie on one stack are told apart by their *instance*, 0 for the outermost: variables and
 * stack slots of a recursive function are different things in different instances.
 *
 * Programs with threads. Where all threads stand is a control state, too: the point of one thread
 * and, as a number, where the *others* are (threads.h). There a move may be that of another thread,
 * and a call of the scheduler is one move for each way that it can go. Which threads there are,
 * whether they have ended or wait, is control; who holds a lock is data (sync.h). */
#ifndef PV_CONTROL_H
#define PV_CONTROL_H

#include "analysis/points_to.h"
#include "ir/ir.h"

#define PV_NO_FRAME UINT32_MAX

struct pv_frame {
  uint32_t parent; /* PV_NO_FRAME: the bottom frame of a thread */
  uint32_t function;
  uint32_t call;     /* edge of the parent's function that called; of a thread but the first: 1 +
                        the function it was created with, or 0: not known */
  uint32_t instance; /* frames of this function below, and PV_INSTANCES times the thread */
  uint32_t depth;    /* frames below */
  uint32_t thread;
};
enum { PV_INSTANCES = 256 };
struct pv_point {
  uint32_t frame;
  pv_loc loc;
  uint32_t others; /* where the other threads are; 0: there are none */
};
static inline bool pv_point_eq(struct pv_point a, struct pv_point b) {
  return a.frame == b.frame && a.loc == b.loc && a.others == b.others;
}

enum pv_move_kind {
  PV_MOVE_STEP,   /* an edge that stays in its frame */
  PV_MOVE_CALL,   /* into the function of frame `to.frame` */
  PV_MOVE_RETURN, /* out of the frame: to the end of the call edge of `frame` */
  PV_MOVE_END,    /* the path ends: STOP, or RETURN of the start function */
  PV_MOVE_CUT,    /* a call too deep, a thread too many: the path is not followed */
  PV_MOVE_NOWHERE /* a call through a pointer that no function's address reaches */
};
/* Ways of calls of the scheduler. */
enum {
  PV_ALTERNATIVE_ONLY,
  PV_ALTERNATIVE_DETACHED, /* create: a detached thread; PV_ALTERNATIVE_ONLY: one to be joined */
  PV_ALTERNATIVE_STORES,  /* join: and the thread's result is stored; PV_ALTERNATIVE_ONLY: it is not
                           */
  PV_ALTERNATIVE_SELF,    /* join: of the calling thread */
  PV_ALTERNATIVE_MISUSE,  /* join, detach: there is no such thread */
  PV_ALTERNATIVE_GOES_ON, /* of a wait, whose PV_ALTERNATIVE_ONLY begins it */
  PV_ALTERNATIVE_TIMES_OUT,
  PV_ALTERNATIVE_IN_SECTION /* of an atomic section: it must not have to wait */
};
struct pv_move {
  enum pv_move_kind kind;
  uint32_t frame; /* before the move, of the thread that moves */
  uint32_t edge;  /* of the frame's function */
  struct pv_point to;
  uint32_t other; /* CALL: the frame entered; create: that of the new thread; join: the thread */
  uint32_t alternative; /* of a call of the scheduler; COPY, FILL: 1: others may interrupt it */
  uint32_t beside; /* the frames of the other threads (pv_control_beside); 0: no thread is there */
};
typedef PV_VEC(struct pv_move) pv_moves;

struct pv_control;
/* `bound`: nested instances of one function; a call beyond is a CUT. Borrows both. */
struct pv_control *pv_control_new(const struct pv_program *p, const struct pv_points_to *pt,
                                  uint32_t bound);
void pv_control_free(struct pv_control *c);
/* From now on calls of the scheduler are moves of threads. Without it they are steps like others,
 * and the program has one thread. */
struct pv_threads;
void pv_control_allow_threads(struct pv_control *c);
/* From now on only one thread's moves are told of where partial-order reduction allows it: every
 * error of a single step is still reached, not every state. */
void pv_control_reduce(struct pv_control *c);
bool pv_control_has_threads(const struct pv_control *c); /* allowed, and the program calls */
/* The top frames of threads that `beside` stands for, the thread itself not among them. */
const uint32_t *pv_control_beside(const struct pv_control *c, uint32_t beside, uint32_t *n);
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
/* The same on the stacks of all threads at a point; *top is the top frame of that stack, *loc where
 * its thread is. */
uint32_t pv_control_find(const struct pv_control *c, struct pv_point at, uint32_t function,
                         uint32_t instance, uint32_t *top, pv_loc *loc);
/* Is a thread at the point before that edge of the function? */
bool pv_control_stands_at(const struct pv_control *c, struct pv_point at, uint32_t function,
                          uint32_t edge);
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
/* May any of several threads move there? */
bool pv_control_is_switch(const struct pv_control *c, struct pv_point at);
/* The place in the source of what comes next at the point. */
uint32_t pv_control_span(const struct pv_control *c, struct pv_point at);
bool pv_control_is_exit(const struct pv_control *c, struct pv_point at); /* it returns from there */
/* "main" or "main > f > g", for people; appended. */
void pv_control_print(const struct pv_control *c, uint32_t frame, struct pv_str *out);

#endif
