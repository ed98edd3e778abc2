/* fairthreads_internal.h -- what the files fairthreads*.c share: the state of the plug-in for
 * FairThreads, unpacked. One module: fairthreads (who runs, primitives), fairthreads_instants (how
 * threads are woken and end, and how instants follow each other). */
#ifndef PV_SCHED_FAIRTHREADS_INTERNAL_H
#define PV_SCHED_FAIRTHREADS_INTERNAL_H

#include "sched/cooperative.h"

enum { FT_EVENTS = 64, FT_MAIN = 0, FT_SCHEDULERS = 4, FT_LOCKS = 32, FT_UNLINKED = 255 };
/* Result codes of FairThreads 1.1. */
enum { FT_OK, FT_EBADMEM, FT_ETIMEOUT, FT_ENEXT, FT_EBADLINK };

enum ft_status {
  FT_FREE,
  FT_CAN,      /* goes on in this instant */
  FT_NEXT,     /* goes on in the next one: new, or has cooperated */
  FT_EVENT,    /* waits for one of the events `set` */
  FT_TIME,     /* waits for its deadline only */
  FT_JOIN,     /* waits for the end of thread `set` */
  FT_VALUE,    /* waits for the next value of an event, or the end of the instant */
  FT_LOCK,     /* waits for lock `set` */
  FT_CLEANING, /* was stopped, and runs before all others */
  FT_ENDED
};
enum {
  FT_SUSPENDED = 1,
  FT_STOP = 2, /* this one and the following ones are ordered */
  FT_SUSPEND = 4,
  FT_RESUME = 8,
  FT_CLEANS = 16, /* with FT_STOP: the thread begins anew, to clean up */
  FT_UNLINK = 32
};

struct ft_thread {
  uint8_t status, flags;
  uint8_t waits;     /* it is inside a primitive that waits or has waited */
  uint8_t code;      /* FT_CAN and `waits`: the result of the primitive */
  uint8_t place;     /* in the order of threads; 0: not yet decided */
  uint8_t index;     /* FT_VALUE: the number of values that it has seen */
  uint8_t sched;     /* to which it is linked; FT_UNLINKED: to none */
  uint8_t made;      /* the scheduler that it was made for */
  uint32_t deadline; /* instants from now; 0: none */
  uint8_t automaton;
  uint8_t zero_tail[3];
  uint64_t set;
};
_Static_assert(sizeof(struct ft_thread) == 24, "no hidden padding");

struct ft_scheduler {
  uint8_t launched; /* it was started */
  uint8_t at;       /* the place of the thread that ran last in this instant; 0: none did */
  uint8_t zero[6];
  uint64_t present;   /* events generated in this instant */
  uint64_t broadcast; /* events for the start of the next one */
};
_Static_assert(sizeof(struct ft_scheduler) == 24, "no hidden padding");

/* Values of an event. Those of a broadcast are in one of two lists, which change places. */
struct ft_values {
  uint8_t generated; /* how many values it has in this instant: by threads, */
  uint8_t broadcast; /* and by broadcasts, which come first */
  uint8_t ordered;   /* broadcasts for the next instant */
  uint8_t list;      /* the one with the broadcasts of this instant: 0 or 1 */
};

struct ft_header {
  uint8_t threads, order, schedulers;
  uint8_t running; /* thread + 1; 0: none */
  uint8_t turn;    /* the scheduler that has its instant */
  uint8_t placed;  /* threads that have a place, while the first instant decides about the order */
  uint8_t values;  /* the number of records of values that follow the threads */
  uint8_t locks;   /* the number of owners that follow the values */
  uint8_t old;     /* version 1.0 */
  uint8_t events;  /* the number of schedulers of events that follow the locks */
  uint8_t zero[6];
};
_Static_assert(sizeof(struct ft_header) == 16, "no hidden padding");

/* The state, unpacked. */
struct ft {
  struct ft_header h;
  struct ft_scheduler s[FT_SCHEDULERS];
  struct ft_thread t[PV_MAX_THREADS];
  struct ft_values v[FT_EVENTS];
  uint8_t owner[FT_LOCKS];  /* thread + 1; 0: it is free */
  uint8_t event[FT_EVENTS]; /* its scheduler */
};

static inline bool pv_ft_is_live(const struct ft_thread *t) {
  return t->status != FT_FREE && t->status != FT_ENDED;
}

static inline bool pv_ft_is_linked(const struct ft_thread *t) {
  return t->sched != FT_UNLINKED;
}

/* ---- fairthreads.c ---- */
/* The threads that may run next in the instant of a scheduler, by bits; 0: it was not started. */
uint64_t pv_ft_candidates(const struct ft *f, unsigned sched);
/* The first thread beside the schedulers that can run, as a set. Main before the first scheduler is
 * started is one. */
uint64_t pv_ft_free_thread(const struct ft *f);

/* ---- fairthreads_instants.c ---- */
/* The thread goes on in this instant; its primitive has the result `code`. */
void pv_ft_wake(struct ft_thread *t, unsigned code);
/* The event is present, and wakes the threads that wait for it. A suspended thread sees no events;
 * its deadline counts on. */
void pv_ft_generate(struct ft *f, unsigned sched, unsigned event);
/* Nobody holds the lock; the threads that wait for it try again to take it. */
void pv_ft_free_lock(struct ft *f, unsigned lock);
/* Frees its locks, and tells those that wait for its end. Version 1.1 tells only those of the
 * scheduler for which the thread was made. */
void pv_ft_end_thread(struct ft *f, unsigned thread);
/* Nobody is running any more: ends instants until a thread can run, or none ever can. */
void pv_ft_settle(struct ft *f, const struct pv_sched_env *env);

#endif
