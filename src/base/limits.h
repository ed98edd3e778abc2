/* limits.h -- the one place that knows when to stop: time, memory, states, depth, signals.
 * Engines call pv_limits_check now and then (it is cheap: it looks at the clock every few thousand
 * calls) and stop in order when it answers anything but PV_LIMIT_NONE.
 *
 * The kernel is asked for the resident memory every 100 ms, and before that only if this thread has
 * allocated much meanwhile (pv_allocated): reading /proc takes tens of microseconds. Between two
 * such looks, what was allocated counts as taken. */
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

/* What a supervisor tells a run that it may stop for a while (plan/isolate.h), in memory that both
 * share. 0: nothing. */
struct pv_supervision {
  _Atomic uint64_t paused; /* nanoseconds for which the process was stopped: they do not count */
  _Atomic uint64_t states; /* with so many states the process stops itself */
  _Atomic uint64_t memory; /* bytes that it may have now, if less than its limit */
};

struct pv_limits {
  double seconds;         /* wall clock, 0 = none */
  uint64_t memory;        /* bytes of resident memory, 0 = none */
  uint64_t states, depth; /* 0 = none */
  bool memory_asked;      /* `memory` was set by pv_limits_parse */
  /* Bytes that have to be free still: what a table is about to grow by, what is needed after the
   * end. Asked for at every look; NULL: none. */
  uint64_t (*reserve)(void *user);
  void *reserve_user;
  /* NULL: nobody supervises the run. stop: does not return before the run is to go on. */
  struct pv_supervision *supervision;
  void (*stop)(void *user);
  void *stop_user;
  /* kept by the module */
  double started;
  uint32_t countdown;
  enum pv_limit hit;
  uint64_t peak;        /* bytes, the most seen */
  double children;      /* CPU seconds of processes that engines ran in (plan/isolate.h) */
  uint32_t period;      /* calls between two looks; adapts to how long a call takes */
  double looked;        /* when the clock was last looked at */
  double memory_looked; /* when the kernel was last asked for the memory, */
  uint64_t resident;    /* what it said, */
  uint64_t allocated;   /* and what this thread had allocated in all by then */
};

/* Parses "time=60s,memory=2GB,states=1000000,depth=500"; units s, m, h, ms; B, kB, MB,
 * GB (powers of 1000), KiB, MiB, GiB. Without a unit: seconds, bytes. 0 means no limit. */
enum pv_status pv_limits_parse(const char *text, struct pv_limits *limits, struct pv_str *err);
uint64_t pv_limits_default_memory(void); /* 80 % of the machine's (or the cgroup's) memory */
void pv_limits_start(struct pv_limits *limits);
enum pv_limit pv_limits_check(struct pv_limits *limits, uint64_t states);
/* The same without the number of states, and with a look at clock and memory in every call; for the
 * inside of an operation that takes long. A limit that it finds is also what pv_limits_check
 * returns from then on. */
enum pv_limit pv_limits_check_now(struct pv_limits *limits);
double pv_limits_elapsed(const struct pv_limits *limits);
const char *pv_limit_name(enum pv_limit l); /* "time" */
/* Makes SIGINT, SIGTERM and SIGXCPU set a flag that pv_limits_check sees; a second one ends the
 * process. */
void pv_limits_catch_signals(void);
/* For a child process that runs an engine: any number of SIGTERMs sets the flag. SIGINT is ignored,
 * because a terminal sends it to the parent, too. */
void pv_limits_accept_stop_requests(void);
/* Asks such a child to stop. Its pv_limits_check returns `why` then. */
void pv_limits_request_stop(pid_t child, enum pv_limit why);
void pv_limits_interrupt(void); /* what the handler does; for tests and the public API */
bool pv_limits_interrupted(void);
void pv_limits_clear_interrupt(
    void); /* after a run, so that the next one of the process can start */
uint64_t pv_resident_memory(void);
/* Bytes of address space and of resident memory of a process; false: they are not known. */
bool pv_process_memory(pid_t process, uint64_t *size, uint64_t *resident);
double pv_clock(void); /* monotonic seconds; pauses do not count */
/* From now on pv_clock subtracts s->paused; NULL: nothing. */
void pv_clock_pauses(const struct pv_supervision *s);
double pv_cpu_clock(void); /* CPU seconds of this process */

#endif
