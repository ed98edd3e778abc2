/* scheduler.h -- a scheduler that is executed rather than encoded (ESST: Cimatti, Narasamdya,
 * Roveri, LMCS 2012, section 3). Its states are the exact bytes of a plug-in of sched/.
 * They are interned, so that a control state contains the number of one (threads.c). A call of a
 * primitive is executed with concrete arguments; its outcomes are interned as well, and the moves
 * of the call name them as their alternatives. */
#ifndef PV_CPA_SCHEDULER_H
#define PV_CPA_SCHEDULER_H

#include "ir/ir.h"
#include "sched/sched.h"

enum { PV_CALL_ARGUMENTS = 6 };

/* The arguments of a call that the scheduler must know. */
struct pv_call_values {
  uint64_t lo[PV_CALL_ARGUMENTS], hi[PV_CALL_ARGUMENTS]; /* as in pv_smt_number */
  uint32_t assumed; /* bit i: argument i is not constant; it may have other values elsewhere */
  uint32_t zero;    /* without padding, because it is a key */
};

/* One outcome of a call, or the rest: all arguments for which it was not executed. */
struct pv_executed {
  uint32_t function, edge, thread, before, after; /* states of the scheduler */
  struct pv_call_values values;
  uint32_t wanted; /* bit i: argument i is known; the others are left to the symbolic state */
  enum pv_prim_outcome outcome;
  uint64_t result;
  uint64_t restarted;       /* bit t: thread t begins anew at its bottom frame, with 0 */
  uint64_t ended;           /* bit t: it ended thread t, which is another one */
  uint32_t stores;          /* 1 + the argument whose object it writes to; 0: none */
  bool spurious;            /* it is a spurious wake-up */
  bool any_result;          /* the result may be any number */
  bool leaves_alive;        /* a thread is alive after it: if none can run, that is a deadlock */
  uint32_t created;         /* CREATES: the new thread */
  uint32_t start, argument; /* CREATES: the arguments that it begins with */
  uint32_t alternative;     /* of the plug-in */
  const char *message;      /* owned by the scheduler; NULL: none */
  bool rest;                /* none of the first `n_known` of `known` */
  uint32_t n_known;
  const struct pv_call_values *known; /* owned by the scheduler */
};

struct pv_scheduler;
/* State 0 is the initial one. Borrows both. */
struct pv_scheduler *pv_scheduler_new(const struct pv_program *p, const struct pv_sched *sched,
                                      enum pv_sched_order order);
void pv_scheduler_free(struct pv_scheduler *s); /* NULL is fine */

/* Which arguments of the primitive must be known? The rest (what a thread is created with, where
 * its number is stored) only passes through. */
uint32_t pv_scheduler_wants(const struct pv_scheduler *s, const struct pv_edge *e);
/* Executes a call in all its alternatives. Appends the numbers of its outcomes; none: the thread is
 * blocked. */
typedef PV_VEC(uint32_t) pv_outcomes;
void pv_scheduler_execute(struct pv_scheduler *s, uint32_t state, uint32_t thread,
                          uint32_t function, uint32_t edge, const struct pv_call_values *values,
                          pv_outcomes *out);
/* Would the call have to wait? for_good: a spurious wake-up does not end that. */
bool pv_scheduler_blocks(struct pv_scheduler *s, uint32_t state, uint32_t thread, uint32_t function,
                         uint32_t edge, const struct pv_call_values *values, bool for_good);
/* The outcome that stands for all arguments except these. */
uint32_t pv_scheduler_rest(struct pv_scheduler *s, uint32_t state, uint32_t thread,
                           uint32_t function, uint32_t edge, const struct pv_call_values *known,
                           uint32_t n);
const struct pv_executed *pv_scheduler_outcome(const struct pv_scheduler *s, uint32_t outcome);
/* Does the state treat the two threads alike (sched.h)? */
bool pv_scheduler_alike(const struct pv_scheduler *s, uint32_t state, uint32_t a, uint32_t b);
/* An outcome of a join as if the thread that it waits for had ended: its result is 0, and it stores
 * nothing. Returns that thread; PV_MAX_THREADS: it waits for none. */
uint32_t pv_scheduler_suppose(struct pv_scheduler *s, uint32_t state, uint32_t thread,
                              uint32_t function, uint32_t edge, const struct pv_call_values *values,
                              uint32_t *outcome);
/* The states in which exactly one thread runs that may follow, with that thread (E2): the state
 * itself if one runs in it; several if there is a choice; none at the end and in a deadlock. */
struct pv_scheduled {
  uint32_t state, thread;
};
typedef PV_VEC(struct pv_scheduled) pv_scheduled_states;
void pv_scheduler_next(struct pv_scheduler *s, uint32_t state, pv_scheduled_states *out);
/* Does the thread run beside the scheduler in this state (sched.h)? */
bool pv_scheduler_beside(const struct pv_scheduler *s, uint32_t state, uint32_t thread);
/* Does an instant go on in this state (sched.h)? */
bool pv_scheduler_in_instant(const struct pv_scheduler *s, uint32_t state);
/* From now on the least rank wins where there is a choice. Borrowed. */
void pv_scheduler_guide(struct pv_scheduler *s, const uint32_t rank[PV_MAX_THREADS]);
/* From now on the states forget the clock (sched.h), and calls that read it have any result. */
void pv_scheduler_forget_clock(struct pv_scheduler *s);
uint32_t pv_scheduler_states(const struct pv_scheduler *s);

#endif
