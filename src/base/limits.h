/* limits.h -- resource limits and signals: time, memory, states, depth, interrupts. Engines call
 * pv_limits_check often (it is cheap: it reads the clock only every few thousand calls) and stop in
 * order if it returns anything but PV_LIMIT_NONE. A limit that was hit once stays hit.
 *
 * The kernel is asked for the resident memory every 100 ms, because reading /proc takes tens of
 * microseconds; more often only if this thread has allocated much since (pv_allocated). In between,
 * all allocated memory counts as resident. */
#ifndef PV_LIMITS_H
#define PV_LIMITS_H

#include "base/base.h"

#include <sys/types.h>

enum pv_limit {
  PV_LIMIT_NONE,
  PV_LIMIT_TIME,
  PV_LIMIT_MEMORY,
  PV_LIMIT_STATES,
  PV_LIMIT_DEPTH,
  PV_LIMIT_INTERRUPT
};

/* Shared memory in which a supervisor (plan/isolate.h) tells a run when to pause. 0 in a member
 * means nothing is asked. */
struct pv_supervision {
  _Atomic uint64_t
      paused; /* nanoseconds for which the process was stopped; they do not count as time */
  _Atomic uint64_t states; /* the process stops itself at this number of states */
  _Atomic uint64_t memory; /* bytes that it may use now, if fewer than its limit */
};

struct pv_limits {
  double seconds;         /* wall clock, 0 = none */
  uint64_t memory;        /* bytes of resident memory, 0 = none */
  uint64_t states, depth; /* 0 = none */
  uint64_t questions;     /* to a solver; 0 = none. Beyond it, PV_LIMIT_STATES is hit */
  bool memory_asked;      /* `memory` was set by pv_limits_parse */
  /* Bytes that must stay free in addition: for the growth of a table, for work after the end.
   * Called at every reading of the memory. NULL: none. */
  uint64_t (*reserve)(void *user);
  void *reserve_user;
  /* NULL: the run has no supervisor. `stop` returns when the run shall continue. */
  struct pv_supervision *supervision;
  void (*stop)(void *user);
  void *stop_user;
  /* The rest is used by limits.c only. */
  double started;
  uint64_t asked; /* questions */
  uint32_t countdown;
  enum pv_limit hit;
  uint64_t peak;   /* bytes, the most seen */
  double children; /* CPU seconds of child processes that ran engines (plan/isolate.h) */
  uint32_t period; /* calls between two readings of the clock; adapted to the time a call takes */
  double looked;   /* when the clock was last read */
  double memory_looked; /* when the kernel was last asked for the memory */
  uint64_t resident;    /* its answer, in bytes */
  uint64_t allocated;   /* pv_allocated() at that time */
};

/* Parses "time=60s,memory=2GB,states=1000000,depth=500" into *limits. Units: ms, s, m, h; B, kB,
 * MB, GB (powers of 1000), KiB, MiB, GiB. A number without a unit means seconds or bytes, 0 no
 * limit. An error is PV_E_INPUT with a message in `err`; *limits is unchanged then. */
enum pv_status pv_limits_parse(const char *text, struct pv_limits *limits, struct pv_str *err);
enum pv_unit { PV_UNIT_SECONDS, PV_UNIT_BYTES, PV_UNIT_COUNT };
/* Reads a quantity, the n bytes at `text`, in this unit or one of the same kind (see above).
 * Returns false if it is none. */
bool pv_limits_quantity(const char *text, size_t n, enum pv_unit unit, double *out);
uint64_t pv_limits_default_memory(void); /* bytes: 80 % of the machine's or cgroup's memory */
/* Starts the clock of a run. */
void pv_limits_start(struct pv_limits *limits);
/* The limit that was hit, or PV_LIMIT_NONE. `states`: how many the run has stored. Depth is checked
 * by the engines. */
enum pv_limit pv_limits_check(struct pv_limits *limits, uint64_t states);
/* The same for a question to a solver, which it counts. */
enum pv_limit pv_limits_check_question(struct pv_limits *limits);
/* pv_limits_check without the number of states, but with a reading of clock and memory in every
 * call: for use inside an operation that takes long. From then on, pv_limits_check returns a limit
 * that it finds. */
enum pv_limit pv_limits_check_now(struct pv_limits *limits);
double pv_limits_elapsed(const struct pv_limits *limits); /* seconds since the start */
const char *pv_limit_name(enum pv_limit l);               /* "time" */
/* From now on SIGUSR1 asks for a part of the work (engine.h: struct pv_sharing). */
void pv_limits_catch_share_requests(void);
bool pv_limits_share_asked(void);
void pv_limits_share_given(void); /* forgets the request */
/* From now on SIGINT, SIGTERM and SIGXCPU set a flag that pv_limits_check reads. A signal that
 * comes more than a second after the first one ends the process, except for SIGXCPU. */
void pv_limits_catch_signals(void);
/* For a child process that runs an engine: any number of SIGTERMs sets the flag. SIGINT is ignored,
 * because a terminal sends it to the parent, too. */
void pv_limits_accept_stop_requests(void);
/* Asks such a child to stop. Its pv_limits_check returns `why` then. */
void pv_limits_request_stop(pid_t child, enum pv_limit why);
void pv_limits_interrupt(void); /* what the handler does; for tests and the public API */
bool pv_limits_interrupted(void);
void pv_limits_clear_interrupt(void); /* after a run, so that the process can start another one */
uint64_t pv_resident_memory(void);    /* of this process, in bytes; 0: not known */
/* The address space and the resident memory of a process in bytes. Returns false if they are not
 * known. */
bool pv_process_memory(pid_t process, uint64_t *size, uint64_t *resident);
double pv_clock(void); /* monotonic seconds without pauses */
/* From now on pv_clock subtracts s->paused (NULL: nothing). */
void pv_clock_pauses(const struct pv_supervision *s);
double pv_cpu_clock(void); /* CPU seconds of this process */

#endif
