/* control.h -- control states: a location with its call stack, and the moves from there. These are
 * the location and call-stack components of all analyses.
 *
 * A *frame* is a function with the frame and the call edge that called it. Frames are interned, so
 * a control state is a pair of a frame and a location. The *instance* of a frame counts the frames
 * of the same function below it on the stack: each instance of a recursive function has variables
 * and stack slots of its own.
 *
 * A *tail call* of one recursive function by another is the last that the caller does, and nothing
 * is left of the caller that could be used: it has no stack slots, and returns what the callee
 * returns. The callee's frame then takes the place of the caller's: it has the same parent and the
 * same call edge, even if that names another function. So such calls nest in no bound, and are a
 * loop through the functions' entries. Programs with threads have none.
 *
 * Programs with threads. A control state then has the point of one thread and, as a number, the
 * points of the *others* (threads.c). A move may belong to another thread, and a call of the
 * scheduler is one move for each of its alternatives. Which threads exist, have ended or wait is
 * control; who holds a lock is data (sync.h). */
#ifndef PV_CONTROL_H
#define PV_CONTROL_H

#include "base/events.h"
#include "analysis/points_to.h"
#include "ir/ir.h"
#include "sched/sched.h"

#define PV_NO_FRAME UINT32_MAX

struct pv_frame {
  uint32_t parent; /* PV_NO_FRAME: the bottom frame of a thread */
  uint32_t function;
  uint32_t call;     /* the calling edge of the parent's function; in the bottom frame of a created
                        thread 1 + the function that it runs, or 0 if that is unknown */
  uint32_t instance; /* frames of this function below, plus PV_INSTANCES times the thread */
  uint32_t depth;    /* frames below */
  uint32_t thread;
};
enum { PV_INSTANCES = 256 };
struct pv_point {
  uint32_t frame;
  pv_loc loc;
  uint32_t others; /* the points of the other threads, interned; 0: there are none */
};
static inline bool pv_point_eq(struct pv_point a, struct pv_point b) {
  return a.frame == b.frame && a.loc == b.loc && a.others == b.others;
}

enum pv_move_kind {
  PV_MOVE_STEP,   /* an edge within its frame */
  PV_MOVE_CALL,   /* into the function of frame `to.frame` */
  PV_MOVE_RETURN, /* out of the frame, to the target of the call edge */
  PV_MOVE_END,    /* the path ends: STOP, or RETURN of the start function */
  PV_MOVE_CUT,    /* a call too deep or a thread too many: the path is not explored */
  PV_MOVE_NOWHERE /* a call through a pointer that points to no function */
};
/* Alternatives of calls of the scheduler. */
enum {
  PV_ALTERNATIVE_ONLY,
  PV_ALTERNATIVE_DETACHED, /* create: a detached thread; PV_ALTERNATIVE_ONLY: a joinable one */
  PV_ALTERNATIVE_STORES,   /* join: the thread's result is stored; PV_ALTERNATIVE_ONLY: it is not */
  PV_ALTERNATIVE_SELF,     /* join: the calling thread joins itself */
  PV_ALTERNATIVE_MISUSE,   /* join, detach: there is no such thread */
  PV_ALTERNATIVE_GOES_ON,  /* the second half of a wait; PV_ALTERNATIVE_ONLY is the first */
  PV_ALTERNATIVE_TIMES_OUT,
  PV_ALTERNATIVE_IN_SECTION, /* within an atomic section: the call must not block */
  PV_ALTERNATIVE_LEAVES,     /* a wait times out while its mutex is taken; PV_ALTERNATIVE_TIMES_OUT
                                follows */
  PV_ALTERNATIVE_STUCK, /* not a call: no thread goes on. The edge is the call of the first one */
  PV_ALTERNATIVE_PERHAPS_STUCK, /* the same, but it is not known of each thread */
  PV_ALTERNATIVE_BESIDE, /* not a call: the thread runs beside the scheduler, and others may notice
                            when it moves, or that it moves for ever */
  PV_ALTERNATIVE_WAKES,  /* and above: a signal wakes the first, second, ... thread that waits */
  PV_ALTERNATIVE_EXECUTED = PV_ALTERNATIVE_WAKES + PV_MAX_THREADS /* and above: outcomes of an
                                                                     executed scheduler */
};
struct pv_move {
  enum pv_move_kind kind;
  uint32_t frame; /* of the moving thread, before the move */
  uint32_t edge;  /* of the frame's function */
  struct pv_point to;
  /* CALL: the frame entered; create: the new thread's frame; join: the joined thread; a signal:
   * which of the threads in `waiting` wait for it, as bits; STUCK: which threads can be joined, as
   * bits. */
  uint32_t other;
  uint32_t alternative; /* of a call of the scheduler; COPY, FILL: 1 if others may interrupt it */
  uint32_t beside;      /* the frames of the other threads (pv_control_beside); 0: there are none */
  uint64_t asleep;      /* after a choice of the scheduler: bit t: thread t need not run next */
  uint64_t able;        /* of a preemptive one: bit t: thread t may run next, as far as is known */
  /* The threads in calls that concern the move (pv_control_waiting); 0: none. If it initialises or
   * destroys an object of the scheduler or begins a wait, those inside of a wait; of a signal,
   * those that may wait for it; STUCK: all threads. */
  uint32_t waiting;
  uint32_t outside; /* enum pv_outside; set by an analysis (pv_analysis.mark) */
};
/* Is it no move of a thread, because no thread goes on? */
static inline bool pv_move_is_stuck(const struct pv_move *m) {
  return m->alternative == PV_ALTERNATIVE_STUCK || m->alternative == PV_ALTERNATIVE_PERHAPS_STUCK;
}
/* If executions are open that continue a given frontier, and all in which an input has a new value
 * (given_inputs.h): where is a path that does not continue the frontier? */
enum pv_outside {
  PV_OUTSIDE_NOT,    /* it may still continue it */
  PV_OUTSIDE_LEAVES, /* it leaves the frontier by this move */
  PV_OUTSIDE_IS      /* it left it before: only executions with a new value are open */
};
/* A thread at a call of the scheduler. */
enum pv_wait_stage {
  PV_STAGE_BEFORE, /* the call has not begun */
  PV_STAGE_WAITS,
  PV_STAGE_WOKEN,
  PV_STAGE_TIMED_OUT
};
struct pv_waiting {
  uint32_t frame, edge;
  enum pv_wait_stage stage;
};
typedef PV_VEC(struct pv_move) pv_moves;

struct pv_control;
/* `bound`: the most nested instances of one function; a call beyond it is a CUT. Borrows p and pt.
 */
struct pv_control *pv_control_new(const struct pv_program *p, const struct pv_points_to *pt,
                                  uint32_t bound);
void pv_control_free(struct pv_control *c);
/* From now on calls of the scheduler are moves of threads. Without this they are ordinary steps of
 * the only thread. */
struct pv_threads;
void pv_control_allow_threads(struct pv_control *c);
/* From now on pv_control_moves returns a persistent set where partial-order reduction allows it.
 * Every error of a single step is still reached, but not every state. */
void pv_control_reduce(struct pv_control *c);
/* From now on it is known which threads a signal wakes; without this a wait may always end.
 * finds_deadlocks: there is a move STUCK where it is possible that no thread goes on. Not for an
 * executed scheduler that is cooperative. */
void pv_control_follow_waits(struct pv_control *c, bool finds_deadlocks);
/* The same, but the scheduler is executed (scheduler.h). A point then contains its state, and the
 * one thread that runs moves. The arguments of a call that are not constant come from the source.
 * If the plug-in is preemptive, a thread yields before each visible operation (visible.h), and any
 * thread that is not blocked may be chosen there. */
struct pv_executed;
struct pv_call_values;
struct pv_argument_source {
  void *self;
  /* Finds the values that the `asked` arguments (bit i: argument i) of the call can have together
   * in the abstract state: an over-approximation. At most `room`; *n: how many were found. Returns
   * false if there may be more. out[0].assumed is set already, and so are the values of the other
   * arguments; all others equal it. `room` 0: the one value of each argument, if the state contains
   * it as a number; then *n is 1. */
  bool (*values)(void *self, const void *state, const struct pv_move *call, uint32_t asked,
                 uint32_t room, struct pv_call_values *out, uint32_t *n);
  /* Optional: reduction. Called with the moves from an abstract state, which are those from `first`
   * on. Where the scheduler chooses the next thread (pv_control_is_switch(to)), moves of one
   * outcome differ in it; some of them may be left out, and `asleep` of the others set. */
  void (*choose)(void *self, const void *state, uint32_t first, pv_moves *moves);
};
void pv_control_execute_scheduler(struct pv_control *c, const struct pv_sched *sched,
                                  enum pv_sched_order order,
                                  const struct pv_argument_source *source);
/* The outcome that the move of a call has; NULL: the move calls no executed scheduler, or is one of
 * pv_control_moves_to, which do not say. */
const struct pv_executed *pv_control_executed(const struct pv_control *c, const struct pv_move *m);
/* The threads of which one may run after the move (bit t: thread t), if it is such a call, or the
 * scheduler is preemptive. */
uint64_t pv_control_may_follow(struct pv_control *c, const struct pv_move *m);
/* Does an instant of the executed scheduler go on at the point, or in that state of it (of
 * pv_executed)? */
bool pv_control_in_instant(const struct pv_control *c, struct pv_point at);
bool pv_control_state_in_instant(const struct pv_control *c, uint32_t state);
bool pv_control_executes_scheduler(const struct pv_control *c);
/* The same, and the plug-in is preemptive? */
bool pv_control_preempts(const struct pv_control *c);
/* After a move to a choice of the executed scheduler: do both threads stand at the same place, with
 * the same stack, and does the scheduler treat them alike (sched.h)? */
bool pv_control_alike(const struct pv_control *c, const struct pv_move *m, uint32_t a, uint32_t b);
/* The moves of one thread from a point, without regard to the scheduler and to other threads. */
void pv_control_moves_unscheduled(struct pv_control *c, struct pv_point at, pv_moves *out);
/* Makes such a move, a call at the choice that `chosen` leads to, one with the result 0. Returns
 * the thread for whose end the call waits, given the values of its arguments; PV_MAX_THREADS: there
 * is no such thread. */
uint32_t pv_control_suppose_joined(struct pv_control *c, const struct pv_move *chosen,
                                   uint32_t thread, const struct pv_call_values *values,
                                   struct pv_move *call);
/* From now on the executed scheduler chooses, among several threads, one with the least rank. */
void pv_control_guide_scheduler(struct pv_control *c, const uint32_t rank[PV_MAX_THREADS]);
/* From now on the executed scheduler forgets its clock (scheduler.h). */
void pv_control_forget_clock(struct pv_control *c);
/* How many states of the executed scheduler were met so far; 0: none is executed. */
uint32_t pv_control_scheduler_states(const struct pv_control *c);
/* Are threads allowed, and does the program use the scheduler? */
bool pv_control_has_threads(const struct pv_control *c);
/* The top frames of the other threads that `beside` stands for. */
const uint32_t *pv_control_beside(const struct pv_control *c, uint32_t beside, uint32_t *n);
/* The threads at calls that `waiting` of a move stands for. */
const struct pv_waiting *pv_control_waiting(const struct pv_control *c, uint32_t waiting,
                                            uint32_t *n);
bool pv_control_follows_waits(const struct pv_control *c);
struct pv_point pv_control_start(struct pv_control *c);
/* The bottom frame of a created thread. start: the function that it runs; PV_NO_FUNC: unknown. */
uint32_t pv_control_root(struct pv_control *c, uint32_t thread, uint32_t start);
const struct pv_frame *pv_control_frame(const struct pv_control *c, uint32_t frame);
const struct pv_function *pv_control_function(const struct pv_control *c, uint32_t frame);
/* Sets thread, file, line and function of an event: where the thread of the frame is in the
 * program's own code when it takes the edge. */
void pv_control_tell_place(const struct pv_control *c, uint32_t frame, uint32_t edge,
                           proviso_event *out);
/* The span of an edge in the program's own code: for one of the C library's functions (models/),
 * the call that leads there. *library is then the function called, otherwise NULL. 0: there is
 * none, the program's own code does not run yet, or the thread has just begun. */
uint32_t pv_control_user_span(const struct pv_control *c, uint32_t frame, uint32_t edge,
                              const struct pv_function **library);
/* The same in words: "x.c:12", "x.c:12 (in strcpy)", "the start of the program". */
void pv_control_place(const struct pv_control *c, uint32_t frame, uint32_t edge,
                      struct pv_str *out);
static inline const struct pv_edge *pv_move_edge(const struct pv_control *c,
                                                 const struct pv_move *m) {
  return &pv_control_function(c, m->frame)->edges.at[m->edge];
}
/* Appends the moves from a point, in the order of the edges. A call through a pointer has a move
 * for each function in its points-to set. */
void pv_control_moves(struct pv_control *c, struct pv_point at, pv_moves *out);
/* The same in an abstract state, which is passed on to the source of arguments. Without it, calls
 * whose arguments are not constant are CUTs. */
void pv_control_moves_in(struct pv_control *c, const void *state, struct pv_point at,
                         pv_moves *out);
/* With threads: the same of one thread, even if it is not its turn. */
void pv_control_moves_of(struct pv_control *c, struct pv_point at, uint32_t thread, pv_moves *out);
/* With threads: moves that every execution begins with, up to equivalence, which does not begin
 * with a thread of the set `asleep` (bit t: thread t), not empty. */
void pv_control_moves_awake(struct pv_control *c, struct pv_point at, uint64_t asleep,
                            pv_moves *out);
/* With threads: where a thread stands. false: it is not alive. */
bool pv_control_stand(const struct pv_control *c, struct pv_point at, uint32_t thread,
                      uint32_t *frame, pv_loc *loc);
/* Appends the moves that lead to a point in its frame: edges, returns of callees, and, at the entry
 * of its function, the call that made the frame. */
void pv_control_moves_to(struct pv_control *c, struct pv_point to, pv_moves *out);
/* The frame of `function` with this instance number on the stack of `frame`, or PV_NO_FRAME. */
uint32_t pv_control_instance(const struct pv_control *c, uint32_t frame, uint32_t function,
                             uint32_t instance);
/* The same for the stacks of all threads at a point. *top is the top frame of that stack, *loc the
 * location of its thread. */
uint32_t pv_control_find(const struct pv_control *c, struct pv_point at, uint32_t function,
                         uint32_t instance, uint32_t *top, pv_loc *loc);
/* Does some thread at the point stand before that edge of the function? */
bool pv_control_stands_at(const struct pv_control *c, struct pv_point at, uint32_t function,
                          uint32_t edge);
/* Does the location lie in the natural loop of the head? Both belong to this function. */
bool pv_control_in_loop(struct pv_control *c, uint32_t function, pv_loc head, pv_loc loc);
/* Compares in an order that is topological except for loops and recursion: negative if a comes
 * before b. Points after a loop follow all points of the loop. A point inside a call lies between
 * the points before and after the call. */
int pv_control_order(struct pv_control *c, struct pv_point a, struct pv_point b);
/* Can a call lead from the function back to itself? */
bool pv_control_recursive(const struct pv_control *c, uint32_t function);
/* Is the point a head of a loop, or the entry of a recursive function? */
bool pv_control_is_head(const struct pv_control *c, struct pv_point at);
bool pv_control_is_entry(const struct pv_control *c, struct pv_point at); /* of any function */
/* Is the point the entry of a function to which a tail call leads? */
bool pv_control_is_round(const struct pv_control *c, struct pv_point at);
/* Is the move a tail call? The frame before it ends. */
bool pv_control_replaces(const struct pv_control *c, const struct pv_move *m);
/* The frame of a function that this call of the parent's function, or tail calls after it, enter.
 */
uint32_t pv_control_enter(struct pv_control *c, uint32_t parent, uint32_t function, uint32_t call);
/* May any of several threads move there? */
bool pv_control_is_switch(const struct pv_control *c, struct pv_point at);
/* The threads of which a later operation may conflict with these effects (future_effects.h), as
 * bits. */
struct pv_future_effects;
uint64_t pv_control_conflicting(struct pv_control *c, struct pv_future_effects *future,
                                struct pv_point at, const uint16_t *effects);
/* After pv_control_reduce: may the thread, which stands where threads may switch, go back in an
 * order of the program's locations before it stands at such a place again? On every cycle of the
 * graph each thread that moves goes back somewhere. */
bool pv_control_goes_back(struct pv_control *c, struct pv_point at, uint32_t thread);
/* The source span of the next operation at the point. */
uint32_t pv_control_span(const struct pv_control *c, struct pv_point at);
bool pv_control_is_exit(const struct pv_control *c, struct pv_point at); /* is a RETURN next? */
/* "main" or "main > f > g", for people; appended. */
void pv_control_print(const struct pv_control *c, uint32_t frame, struct pv_str *out);

#endif
