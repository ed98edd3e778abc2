/* monitor.h -- runtime analyses: what they are told of one execution, and what they warn of.
 *
 * A runtime analysis knows of a program only the events of an execution. So one analysis serves the
 * machine (observe.h) and any other source of events. It does not wait for an error: it warns of
 * what could go wrong in another schedule.
 *
 * Reference: Visser, Havelund, Brat, Park, Lerda, "Model Checking Programs", ASE Journal 10(2),
 * 2003, section 3.3.4. */
#ifndef PV_MONITOR_MONITOR_H
#define PV_MONITOR_MONITOR_H

#include "sched/sched.h"

enum pv_observed_kind {
  PV_OBSERVED_READ,
  PV_OBSERVED_WRITE,
  PV_OBSERVED_LOCK,    /* the thread holds the lock `at` from now on (`shared`: as a reader) */
  PV_OBSERVED_UNLOCK,  /* ... and no more */
  PV_OBSERVED_RELEASE, /* synchronisation through the object `at`: what comes before this ... */
  PV_OBSERVED_ACQUIRE, /* ... happens before what comes after this */
  PV_OBSERVED_FORK,    /* begins thread number `at` */
  PV_OBSERVED_JOIN,    /* thread number `at` has ended */
  PV_OBSERVED_FORGET,  /* the bytes end; another object may be there later */
  PV_OBSERVED_FENCE    /* a fence, which acquires, releases or both */
};
struct pv_observed {
  enum pv_observed_kind kind;
  uint32_t thread;
  uint32_t place; /* where the thread is: a number that means something to who tells the events */
  uint64_t at;    /* address, lock, object or thread */
  uint32_t bytes;
  bool shared;                     /* LOCK */
  bool atomic, acquires, releases; /* READ, WRITE, FENCE: atomic, and its memory order */
  bool updates; /* WRITE: of an atomic read-modify-write, whose READ was told before */
  bool begins;  /* FORGET: an object begins; where another one ended there was not told */
};

enum pv_warning_kind {
  PV_WARNING_LOCKSET,    /* no lock is held at all accesses to a variable */
  PV_WARNING_RACE,       /* two accesses that nothing orders */
  PV_WARNING_LOCK_ORDER, /* threads take locks in orders that may block them for ever */
  PV_WARNING_DEADLOCK    /* the execution ended with threads that wait for ever */
};
/* One thread's part in a warning. */
struct pv_warning_side {
  uint32_t thread, place;
  bool writes;
  bool ends;             /* RACE: it ends the object, by free or at the end of a scope */
  uint64_t lock;         /* LOCK_ORDER: the lock that it takes here, holding the other side's */
  PV_VEC(uint64_t) held; /* the locks that it holds */
};
enum { PV_WARNING_SIDES = 8 };
struct pv_warning {
  enum pv_warning_kind kind;
  bool predicted; /* not seen in this execution, but it is in another one (predict.c) */
  uint64_t at;    /* the address; LOCK_ORDER: 0 */
  uint32_t n;     /* sides: 2; LOCK_ORDER: at least 2, each takes a lock that the next one holds;
                     DEADLOCK: the threads that wait, as many as there is room for */
  struct pv_warning_side side[PV_WARNING_SIDES]; /* the earlier access first */
};
struct pv_warnings {
  PV_VEC(struct pv_warning) list;
  struct pv_map known; /* kinds with their places */
};
/* Adds a warning, whose locks it takes over, unless there is one of this kind about the same
 * places. Returns its number. */
uint32_t pv_warn(struct pv_warnings *all, struct pv_warning *w);
void pv_warnings_free(struct pv_warnings *all);

/* ---- the locks that threads hold: used by all analyses -----------------------------------------
 */
struct pv_held {
  uint64_t lock;
  uint32_t times; /* recursive locks */
  bool shared;
};
struct pv_holdings {
  PV_VEC(struct pv_held) of[PV_MAX_THREADS];
};
/* Tell it every event. */
void pv_holdings_tell(struct pv_holdings *h, const struct pv_observed *e);
/* Appends the thread's locks to the side of a warning. */
void pv_holdings_list(const struct pv_holdings *h, uint32_t thread, struct pv_warning_side *side);
void pv_holdings_free(struct pv_holdings *h);

/* ---- the analyses ------------------------------------------------------------------------------
 */
struct pv_runtime_analysis {
  const char *name;
  void *(*begin)(void);
  /* Adds to *out what the event shows. */
  void (*tell)(void *self, const struct pv_observed *e, struct pv_warnings *out);
  /* After the last event: adds what the whole execution shows. */
  void (*end)(void *self, struct pv_warnings *out);
  void (*free)(void *self);
};
extern const struct pv_runtime_analysis pv_eraser;         /* eraser.c: LOCKSET */
extern const struct pv_runtime_analysis pv_lock_trees;     /* lock_trees.c: LOCK_ORDER */
extern const struct pv_runtime_analysis pv_lock_cycles;    /* lock_cycles.c: LOCK_ORDER */
extern const struct pv_runtime_analysis pv_happens_before; /* happens_before.c: RACE */
/* All of them. */
enum { PV_RUNTIME_ANALYSES = 4 };
extern const struct pv_runtime_analysis *const pv_runtime_analyses[PV_RUNTIME_ANALYSES];

#endif
