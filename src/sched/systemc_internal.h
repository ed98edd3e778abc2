/* systemc_internal.h -- what the files systemc*.c share: the state of a simulation, and its kernel.
 * systemc.c explains the state. */
#ifndef PV_SCHED_SYSTEMC_INTERNAL_H
#define PV_SCHED_SYSTEMC_INTERNAL_H

#include "sched/sched.h"

/* Events from SC_OF_CHANNEL on belong to channels: the one with that number, less SC_OF_CHANNEL. */
enum { SC_MAIN = 0, SC_WORDS = 4, SC_EVENTS = 64 * SC_WORDS, SC_CHANNELS = 128 };
enum { SC_OF_CHANNEL = SC_EVENTS - SC_CHANNELS, SC_HALF = SC_WORDS / 2 };
enum { SC_PENDING = SC_EVENTS + PV_MAX_THREADS }; /* an event each, and a timer of each process */

enum sc_status { SC_FREE, SC_CAN, SC_WAITS, SC_ENDED };
enum sc_wait { SC_STATIC, SC_TIME, SC_ANY, SC_EVERY };
enum {
  SC_METHOD = 1,
  SC_DONT_INITIALIZE = 2,
  SC_COLLECTS = 4,   /* `dynamic` is being collected for the next wait */
  SC_INSIDE = 8,     /* inside of a primitive that waits or has waited */
  SC_TIMED_OUT = 16, /* the latest wait ended by its time-out */
  SC_HAS_TIMEOUT = 32,
  SC_IN_TURN = 64 /* accellera: in the queue that is being run */
};
enum sc_kind { SC_NONE, SC_DELTA, SC_TIMED };
enum sc_phase { SC_ELABORATE, SC_INITIALIZE, SC_EVALUATE, SC_UPDATE, SC_STOPPED };
enum { SC_KEEP_TIME = 1, SC_KEEP_DELTAS = 2, SC_KEEP_TRIGGERED = 4 }; /* what the program reads */
enum { SC_FOR_EVER = 1, SC_ONE_DELTA = 2, SC_CONTINUE = 4, SC_ON_STARVATION = 8 }; /* of `run` */

struct sc_set {
  uint64_t w[SC_WORDS];
};
struct sc_process {
  uint8_t status, flags, wait;
  uint8_t place; /* accellera: in its queue */
  uint8_t since; /* accellera: in the order of those that wait for events */
  uint8_t zero[3];
  uint32_t count; /* SC_STATIC: how many further triggers it waits for */
  uint32_t zero_tail;
  uint64_t before; /* all: the processes that it is before */
};
_Static_assert(sizeof(struct sc_process) == 24, "no hidden padding");

struct sc_pending {
  uint64_t time;   /* from now; 0 for a delta notification */
  uint16_t number; /* event, or SC_EVENTS + process */
  uint8_t kind;
  uint8_t zero;
  uint16_t place; /* accellera: in the order of notifications */
  uint16_t zero_tail;
};
_Static_assert(sizeof(struct sc_pending) == 16, "no hidden padding");

/* accellera: an entry of the heap of timed notifications. One that was cancelled stays there, and
 * has its part in the order of those that come at the same time. */
enum { SC_HEAP = 1024, SC_CANCELLED = 0xffff };
struct sc_entry {
  uint64_t time; /* from now */
  uint32_t number;
  uint32_t zero;
};

enum {
  SC_EVALUATED = 1,  /* a process ran in this evaluation */
  SC_TIME_PASSED = 2 /* and none ran since then */
};
struct sc_header {
  uint8_t threads, order;
  uint8_t running; /* thread + 1; 0: none */
  uint8_t phase;
  uint8_t keep;
  uint8_t run;             /* flags of the latest `run` */
  uint8_t stop;            /* 1: stop after this delta cycle; 2: pause; 3: stop at once */
  uint8_t channel;         /* what `run` returns: channel + 1 */
  uint8_t threads_in_turn; /* accellera: threads run now, else methods */
  uint8_t fresh;           /* what is new, as bits SC_EVALUATED, SC_TIME_PASSED */
  uint16_t events, channels, pending, requests, updates;
  uint32_t heap;
  uint64_t until; /* the end of this run, from now; without SC_FOR_EVER */
  uint64_t now, deltas;
};
_Static_assert(sizeof(struct sc_header) == 48, "no hidden padding");

/* The state, unpacked. */
struct sc {
  struct sc_header h;
  struct sc_process p[PV_MAX_THREADS];
  struct sc_set sensitive[PV_MAX_THREADS], dynamic[PV_MAX_THREADS];
  struct sc_pending pending[SC_PENDING]; /* in the order of their numbers */
  uint8_t requests[SC_CHANNELS];         /* for the next update; the latest last; else by number */
  uint8_t updates[SC_CHANNELS];          /* of this update, that are still to come */
  struct sc_set free;                    /* numbers of events that may be used again */
  struct sc_set triggered;
  struct sc_entry heap[SC_HEAP];
};

static inline bool sc_has(const struct sc_set *s, unsigned e) {
  return s->w[e / 64] >> e % 64 & 1;
}
static inline void sc_add(struct sc_set *s, unsigned e) {
  s->w[e / 64] |= UINT64_C(1) << e % 64;
}
static inline void sc_drop(struct sc_set *s, unsigned e) {
  s->w[e / 64] &= ~(UINT64_C(1) << e % 64);
}
static inline bool sc_is_empty(const struct sc_set *s) {
  for (unsigned i = 0; i < SC_WORDS; i++)
    if (s->w[i]) return false;
  return true;
}

/* ---- systemc_kernel.c ---- */
/* The processes that may run next, by bits; bit SC_MAIN: an update, or the end of this run. */
uint64_t pv_sc_candidates(const struct sc *m);
/* The processes that can run, by bits, whatever the order says. */
uint64_t pv_sc_runnable(const struct sc *m);

/* Notifications. `number`: an event, or SC_EVENTS + the process whose timer it is. */
/* IEEE 1666, 5.10.7: a delta notification stays; an earlier timed one stays. Time 0: a delta
 * notification. */
void pv_sc_notify(struct sc *m, unsigned number, uint64_t time);
/* The same, and nothing stays. */
void pv_sc_set_pending(struct sc *m, unsigned number, uint64_t time);
void pv_sc_cancel(struct sc *m, unsigned number);
/* The event occurs: wakes the processes that wait for it. */
void pv_sc_trigger(struct sc *m, unsigned number);
void pv_sc_make_runnable(struct sc *m, unsigned process);
/* accellera: the process is no longer in the order of those that wait. */
void pv_sc_forget_since(struct sc *m, unsigned process);

/* Nobody is running any more: the phases go on until a process or main can run. */
void pv_sc_settle(struct sc *m);

#endif
