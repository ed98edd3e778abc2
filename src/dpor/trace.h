/* trace.h -- the execution at hand: its events, what happens before what, and the races in it.
 *
 * An event is one transition of a thread: the visible operation that it was parked at and what
 * follows up to the next one. Events of different threads are ordered as vm/depend.h (memory) and
 * the scheduler plug-in (pv_sched.order) say; *happens-before* is the transitive closure of that
 * and the order in each thread, kept as vector clocks. A *race* is a pair of events that are
 * ordered directly, by nothing between them, and could have been the other way round (Abdulla,
 * Aronsson, Jonsson, Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial Order
 * Reduction", JACM 64(4), 2017, section 3).
 *
 * Deviations. (1) That an event gives another one its way (an unlock, a lock) orders them, but is
 * no race, and does not hide that the lock races with the lock before: as for locks there (section
 * 7), here for all primitives. Where the plug-in cannot tell (a post of a semaphore that was not 0,
 * a signal), the pair is taken for a race and what lies before it is looked at as well. (2) The end
 * of the whole program depends on nothing: it is done when nobody else can do anything. What others
 * do before it is thus there, and nothing comes after it. */
#ifndef PV_DPOR_TRACE_H
#define PV_DPOR_TRACE_H

#include "dpor/predicate.h"
#include "dpor/section.h"
#include "vm/journal.h"
#include "vm/moves.h"

enum { PV_ANY_WAY = UINT32_MAX };

/* An event, done or not: number `index` (from 1) of its thread's. */
struct pv_deed {
  uint32_t thread, way, index;
  bool hidden;    /* it does not matter (predicate.h): ordered with nothing */
  bool chain;     /* several stores to one place in a row (section.h): ordered as one is */
  uint32_t inner; /* a section done as one event (section.h): its list; 0: none */
  struct pv_pending what;
};
struct pv_clock {
  uint32_t at[PV_MAX_THREADS]; /* by thread: how many of its events happen before, this included */
};
struct pv_dpor_event {
  struct pv_deed deed;
  struct pv_clock clock;
  bool failed;      /* its thread's path ended with it */
  bool quiet;       /* it changed nothing but frames of its thread */
  uint32_t steps;   /* of the machine: more than one for a section */
  uint32_t creator; /* of the thread's first one: index + 1 of the event that created the thread */
  uint32_t races, n_races; /* events that race with it: a slice of trace->races */
  pv_journal_mark before;
  uint32_t pendings; /* height of the stack of pending operations before it */
};
/* What every thread is parked at, after so many events. */
struct pv_front {
  unsigned n;             /* thread slots */
  bool attended;          /* there was a second thread (pv_vm_attend) */
  pv_threads alive, able; /* as in struct pv_moves; able: to do more than wake spuriously */
  unsigned exclusive;
  pv_threads stuck;                   /* their path has ended: an error, a proviso, or awaiting */
  pv_threads awaiting;                /* what others would have had to do before (await.h) */
  pv_threads ends;                    /* parked at the end of the whole program */
  pv_threads hiding;                  /* ... at what does not matter, which they have to wait for */
  pv_threads waited;                  /* they had to, and have done nothing since that matters, */
  uint32_t waited_at[PV_MAX_THREADS]; /* at that, as `next` */
  uint32_t next[PV_MAX_THREADS];      /* into trace->pendings */
  uint16_t ways[PV_MAX_THREADS];      /* those that are more than spurious wake-ups */
  uint8_t phase[PV_MAX_THREADS];      /* of a primitive: pv_sched.phase */
  uint32_t created[PV_MAX_THREADS];   /* index + 1 of the event that created the thread last */
};

struct pv_trace {
  const struct pv_task *task;
  const struct pv_sched *sched;
  struct pv_vm *vm;
  struct pv_predicate *predicate; /* NULL: everything matters */
  struct pv_sections sections;
  struct pv_journal journal;
  PV_VEC(struct pv_dpor_event) events;
  PV_VEC(struct pv_front) fronts; /* events.n + 1 of them, the last one of the state at hand */
  PV_VEC(struct pv_pending) pendings;
  PV_VEC(uint32_t) of[PV_MAX_THREADS]; /* by thread: its events, as indices */
  PV_VEC(uint32_t) races;
  unsigned slots; /* threads at most, so far */
  bool spurious;  /* a spurious wake-up was left out */
};
/* All borrowed; the machine is started. */
void pv_trace_begin(struct pv_trace *t, const struct pv_task *task, const struct pv_sched *sched,
                    struct pv_vm *vm, struct pv_predicate *predicate);
void pv_trace_free(struct pv_trace *t);
static inline const struct pv_front *pv_trace_front(const struct pv_trace *t) {
  return &t->fronts.at[t->fronts.n - 1];
}
/* The threads that may move in that state; the end of the program last. */
pv_threads pv_front_able(const struct pv_front *f);
/* What the thread would do next after the first n events. */
struct pv_deed pv_trace_next(const struct pv_trace *t, uint32_t n, unsigned thread);

/* Will the deed be a section, done as one event? What is in it is known when it is done. */
bool pv_trace_is_section(const struct pv_trace *t, const struct pv_deed *d);
/* Does an event; way < ways. After any other outcome than PV_RAN the thread is stuck, or, after
 * PV_ENDED and PV_PRUNED, all are. */
enum pv_outcome pv_trace_do(struct pv_trace *t, unsigned thread, unsigned way);
void pv_trace_undo(struct pv_trace *t); /* takes the last event back */

/* Are the two ordered by what they do? false: they commute. `earlier` was done first. */
bool pv_trace_ordered(const struct pv_trace *t, const struct pv_deed *earlier,
                      const struct pv_deed *later);

/* The clock of what comes before the deed, which its thread is parked at after n events, whatever
 * it is: of the thread's last event, or of its creation; NULL: nothing. */
const struct pv_clock *pv_trace_before(const struct pv_trace *t, uint32_t n,
                                       const struct pv_deed *deed);
/* The events that race with the deed, which its thread is parked at or has just done: adds their
 * indices to t->races, by thread, and returns how many. And its clock. Sections and chains that the
 * races tell to come apart do. */
uint32_t pv_trace_races(struct pv_trace *t, const struct pv_deed *deed, struct pv_clock *clock);
uint64_t pv_trace_bytes(const struct pv_trace *t);

#endif
