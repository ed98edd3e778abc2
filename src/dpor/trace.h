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
 * do before it is thus there, and nothing comes after it. An event inside of which the execution
 * ends (a false assumption in an atomic section) is *undone*: others go on as if it had not been
 * done, its thread does not, and what changes what it read races with it. (3) *Eager* operations
 * are no events of their own: as soon as they can be done they are, as part of the event that made
 * them possible. Those are what does not matter (predicate.h), and what commutes with all that
 * others can still do: the end of a thread, if nobody else reaches what ends with it, and the joins
 * of main. */
#ifndef PV_DPOR_TRACE_H
#define PV_DPOR_TRACE_H

#include "dpor/heap.h"
#include "dpor/marks.h"
#include "dpor/predicate.h"
#include "dpor/section.h"
#include "vm/journal.h"
#include "vm/moves.h"

enum { PV_ANY_ALTERNATIVE = UINT32_MAX };

/* An event, done or not: number `index` (from 1) of its thread's. */
struct pv_transition {
  uint32_t thread, alternative, index;
  bool chain;     /* several stores to one place in a row (section.h): ordered as one is */
  uint32_t inner; /* a section done as one event (section.h): its list; 0: none */
  struct pv_marks marks;
  struct pv_pending what;
};
struct pv_clock {
  uint32_t at[PV_MAX_THREADS]; /* by thread: how many of its events happen before, this included */
};
/* Of an event that accesses memory, if the program compares and exchanges at all (exchange.c). */
struct pv_exchange {
  bool known, expects;
  uint64_t there;    /* known: what is in the place before it */
  uint64_t expected; /* expects: it is a compare-and-exchange, and would have to find that */
  uint64_t added;    /* known, and it only adds: how much */
};
struct pv_dpor_event {
  struct pv_transition transition;
  struct pv_clock clock;
  bool failed; /* its thread's path ended with it */
  bool undone; /* the execution would have ended inside of it: it was taken back, but stays here */
  bool idle;   /* it left everything but frames of its thread as it was (await.h) */
  bool quiet;  /* it is an access, or failed, and changed nothing but frames of its thread */
  uint32_t steps;              /* of the machine by its thread: more than one for a section */
  uint64_t instructions;       /* run in it */
  pv_threads hid;              /* they did what others could see, but does not matter, behind it */
  pv_threads eager_threads;    /* ... eager operations, */
  uint64_t held;               /* and what they held (pv_vm_held_eagerly) */
  uint32_t races, n_races;     /* events that race with it: a slice of trace->races */
  struct pv_exchange exchange; /* if trace->exchanges */
  pv_journal_mark before;
  uint32_t pendings, joins, heap; /* heights of the stacks before it */
};
/* An event that races with a later one. */
struct pv_race {
  uint32_t event;
  bool settled; /* the search has nothing to do about it any more (reverse.c) */
};
/* An event among those of its thread. */
struct pv_own_event {
  uint32_t event; /* its index */
  struct pv_marks marks;
};
/* What a thread is parked at. */
struct pv_parked {
  struct pv_marks marks;
  uint32_t next;         /* into trace->pendings */
  uint32_t waited_at;    /* likewise: the eager operation that it had to wait at */
  uint32_t base;         /* what comes before whatever it does: see pv_trace_base */
  uint16_t alternatives; /* those that are more than spurious wake-ups */
  uint8_t phase;         /* of a primitive: pv_sched.phase */
  uint8_t awaited;       /* PRIM: the thread that it joins, or would if that were over; none:
                            PV_MAX_THREADS */
};
/* What every thread is parked at, after so many events. */
struct pv_enabled_set {
  unsigned n;             /* thread slots */
  bool observed;          /* there was a second thread (pv_vm_set_observed) */
  pv_threads alive, able; /* as in struct pv_moves; able: to do more than wake spuriously */
  pv_threads ready;       /* able, if no other thread is in an atomic section */
  pv_threads open;        /* parked at what others can give and take the alternatives of */
  pv_threads known;       /* alive, whatever they are parked at, and not stuck */
  unsigned exclusive;
  pv_threads stuck;    /* their path has ended: an error, a proviso, or awaiting */
  pv_threads awaiting; /* what others would have had to do before (await.h) */
  pv_threads ends;     /* parked at the end of the whole program */
  pv_threads hiding;   /* ... at what does not matter, which they have to wait for */
  pv_threads eager;    /* ... at what is eager: these, and more */
  pv_threads waited;   /* they had to, and have done nothing since that matters */
  struct pv_parked at[PV_MAX_THREADS]; /* by thread; the first n are there */
};

struct pv_trace {
  const struct pv_task *task;
  const struct pv_sched *sched;
  struct pv_vm *vm;
  struct pv_predicate *predicate; /* NULL: everything matters */
  struct pv_sections sections;
  struct pv_journal journal;
  PV_VEC(struct pv_dpor_event) events;
  PV_VEC(struct pv_enabled_set)
  enabled_sets; /* events.n + 1 of them, the last one of the state at hand */
  PV_VEC(struct pv_pending) pendings;
  PV_VEC(struct pv_own_event) of[PV_MAX_THREADS]; /* by thread */
  PV_VEC(struct pv_clock) joins; /* of threads that were created, or joined others */
  PV_VEC(struct pv_race) races;
  struct pv_heap_notes heap;
  unsigned slots;  /* threads at most, so far */
  bool spurious;   /* a spurious wake-up was left out */
  bool exchanges;  /* the program does compare-and-exchanges */
  bool eager;      /* ends and joins of threads are: nobody but main creates and joins any */
  bool not_eager;  /* ... but now one does, so the search is to begin anew */
  bool crowded;    /* a thread was refused, as there were too many: ends of threads matter */
  bool comes_back; /* ... since a freed object's address may: pv_trace_let_come_back */
  /* Called after each step of the machine for the errors that it passed or ended with. */
  void (*tell)(void *user, const struct pv_event *e);
  void *user;
};
/* All borrowed; the machine is started. Set `tell` behind it. */
void pv_trace_begin(struct pv_trace *t, const struct pv_task *task, const struct pv_sched *sched,
                    struct pv_vm *vm, struct pv_predicate *predicate);
void pv_trace_free(struct pv_trace *t);
/* The later of the two, thread by thread. */
static inline void pv_clock_join(const struct pv_trace *t, struct pv_clock *c,
                                 const struct pv_clock *with) {
  for (unsigned i = 0; i < t->slots; i++)
    if (with->at[i] > c->at[i]) c->at[i] = with->at[i];
}
/* Of a `base`: 0, twice an event's number (from 1), or twice that of a clock in `joins` plus 1. */
static inline const struct pv_clock *pv_trace_base(const struct pv_trace *t, uint32_t base) {
  if (!base) return NULL;
  return base & 1 ? &t->joins.at[base >> 1] : &t->events.at[(base >> 1) - 1].clock;
}
static inline const struct pv_enabled_set *pv_trace_enabled_set(const struct pv_trace *t) {
  return &t->enabled_sets.at[t->enabled_sets.n - 1];
}
/* The threads that may move in that state; the end of the program last. */
pv_threads pv_enabled_threads(const struct pv_enabled_set *f);
/* What the thread would do next after the first n events. Does a compare-and-exchange store? After
 * all that was done it is known. */
struct pv_transition pv_trace_next(const struct pv_trace *t, uint32_t n, unsigned thread);

/* Would the operation, which a thread is parked at, be eager, matter or not? In any machine that
 * does what the trace did. */
bool pv_trace_is_eager(const struct pv_trace *t, struct pv_vm *vm, const struct pv_pending *p);

/* Will the transition be a section, done as one event? What is in it is known when it is done. */
bool pv_trace_is_section(const struct pv_trace *t, const struct pv_transition *d);
/* Does what pv_trace_next says comes next, with a alternative < alternatives. After any other
 * outcome than PV_RAN the thread is stuck, or, after PV_ENDED and PV_PRUNED, all are. */
enum pv_outcome pv_trace_do(struct pv_trace *t, const struct pv_transition *transition);
/* Are ends and joins of threads eager, where they can be? They are from the beginning. */
void pv_trace_set_eager(struct pv_trace *t, bool eager);
/* Who steps, and what comes before all that the step does, at least. */
struct pv_stepping {
  unsigned thread;
  const struct pv_clock *past;
  bool inside; /* of a section that is one event: who comes after the event comes after the step */
  bool eager;  /* as a part of somebody's event */
};
/* After each step of the machine: what it did to the heap. Sets comes_back (heap.c). */
void pv_trace_note_heap(struct pv_trace *t, struct pv_stepping by);
/* From now on addresses of freed objects come back where it was found that they may. */
void pv_trace_let_come_back(struct pv_trace *t);
/* Or not: what was found is to be found again, as the search begins anew for something else. */
void pv_trace_forget_heap(struct pv_trace *t);
/* The thread does nothing more in what follows the last event. */
void pv_trace_cut(struct pv_trace *t, unsigned thread);
void pv_trace_undo(struct pv_trace *t); /* takes the last event back */
/* The first event of the atomic section that the event is in (of several, with a choice in it): the
 * event itself, if it is in none, or is the first. */
uint32_t pv_trace_section(const struct pv_trace *t, uint32_t event);

/* Are the two ordered by what they do? false: they commute. `earlier` was done first. */
bool pv_trace_ordered(const struct pv_trace *t, const struct pv_transition *earlier,
                      const struct pv_transition *later);

/* The clock of what comes before whatever the thread does after n events: its last one, or the one
 * that created it, and all of the threads that it joined since; NULL: nothing. */
const struct pv_clock *pv_trace_before(const struct pv_trace *t, uint32_t n, unsigned thread);
/* The events that race with the transition, which its thread is parked at after n events and may
 * have done next: adds their indices to t->races, by thread, and returns how many. And its clock.
 * Sections and chains that the races tell to come apart do. */
uint32_t pv_trace_races(struct pv_trace *t, uint32_t n, const struct pv_transition *transition,
                        struct pv_clock *clock);
/* exchange.c: does the program compare and exchange? */
bool pv_exchanges(const struct pv_program *p);
/* Of the transition that comes next. */
struct pv_exchange pv_exchange_of(const struct pv_trace *t, const struct pv_transition *d);
/* Notes what the event, which was done just now, added. */
void pv_exchange_was(const struct pv_trace *t, struct pv_dpor_event *e);
/* Would event `at` store nothing if it came before `race`, which it races with, after `rest`,
 * events that come after neither? When in doubt, no. */
bool pv_exchange_stays(const struct pv_trace *t, uint32_t at, uint32_t race, const uint32_t *rest,
                       uint32_t n);
uint64_t pv_trace_bytes(const struct pv_trace *t);

#endif
