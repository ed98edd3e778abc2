/* trace.h -- the current execution: its events, the happens-before relation, and the races.
 *
 * An event is one transition of a thread: the visible operation at which the thread was parked,
 * and everything the thread does after it up to its next visible operation. Two events of different
 * threads are ordered by vm/depend.h if they access memory, and by the scheduler plug-in
 * (pv_sched.order) if they are primitives. Happens-before is the transitive closure of this order
 * and program order; vector clocks represent it. A race is a pair of events that are ordered
 * directly, without an event between them, and that could have occurred in the opposite order.
 *
 * Reference: Abdulla, Aronis, Jonsson, Sagonas, "Source Sets: A Foundation for Optimal Dynamic
 * Partial Order Reduction", JACM 64(4), 2017, section 3.
 *
 * Deviations.
 * (1) An event may enable another event: an unlock enables a lock. Such a pair is ordered, but it
 *     is not a race, and it does not hide the race between the two locks. The paper does this for
 *     locks (section 7); we do it for all primitives. Sometimes the plug-in cannot tell whether an
 *     event enabled the other one, as with a post of a semaphore that was not 0, or a signal. Then
 *     the pair counts as a race, and the races before it are examined as well.
 * (2) The end of the whole program is independent of all events. It is executed only when no other
 *     thread can move. So everything that other threads do before it is explored, and no event
 *     follows it. An execution may also end inside an event, for example by a false assumption in
 *     an atomic section. Such an event is undone: the other threads continue as if it had not
 *     occurred, and its own thread stops. A write to what the event read still races with it.
 * (3) Eager operations are not events. Each is executed as soon as it is enabled, as part of the
 *     event that enabled it. An operation is eager if its order does not matter (predicate.h), or
 *     if it commutes with everything that other threads can still do: the end of a thread whose
 *     objects no other thread can reach, and joins by main.
 *
 * One module: trace, await, heap, waits (trace.c asks await.c at each event, which looks into the
 * trace, as heap.c and waits.c do; heap.h and waits.h have the notes that a trace keeps). */
#ifndef PV_DPOR_TRACE_H
#define PV_DPOR_TRACE_H

#include "dpor/heap.h"
#include "dpor/marks.h"
#include "dpor/predicate.h"
#include "dpor/section.h"
#include "dpor/waits.h"
#include "vm/coverage.h"
#include "vm/journal.h"
#include "vm/moves.h"

enum { PV_ANY_ALTERNATIVE = UINT32_MAX };

/* A transition of a thread, executed or not. It is the thread's event number `index`, from 1. */
struct pv_transition {
  uint32_t thread, alternative, index;
  bool chain;     /* consecutive stores to one location (section.h), ordered like one store */
  bool foreign;   /* in a sleep set: explored by another search (frontier.c) */
  uint32_t inner; /* a critical section that is one event (section.h): its list; 0: none */
  struct pv_marks marks;
  struct pv_pending what;
};
struct pv_clock {
  /* By thread: the number of its events that happen before, inclusive. */
  uint32_t at[PV_MAX_THREADS];
};
/* The clock of a created thread, or of a thread after a join: that of two bases (pv_trace_base). */
struct pv_joined_clock {
  struct pv_clock clock;
  uint32_t of[2];
};
/* What is known about the value that an event reads or adds, for programs that use
 * compare-and-exchange (exchange.c). */
struct pv_exchange {
  bool known, expects;
  uint64_t there;    /* if known: the value in memory before the event */
  uint64_t expected; /* if expects: the event is a compare-and-exchange with this expected value */
  uint64_t added;    /* if known and the event only adds: the addend */
};
struct pv_dpor_event {
  struct pv_transition transition;
  struct pv_clock clock;
  bool failed;    /* the thread's path ended with this event */
  bool undone;    /* the execution ended inside this event: its effects were reverted */
  bool idle;      /* it changed nothing except frames of its own thread (await.h) */
  bool quiet;     /* an access or a failed event that changed only frames of its own thread */
  uint32_t steps; /* machine steps of its thread: more than one for a section */
  uint64_t instructions;       /* executed in it */
  pv_threads hid;              /* threads that executed hidden visible operations after it */
  pv_threads eager_threads;    /* threads that executed eager operations after it */
  uint64_t held;               /* the objects they held pointers to (pv_vm_held_eagerly) */
  uint32_t races, n_races;     /* the earlier events that race with it: a slice of trace->races */
  struct pv_exchange exchange; /* if trace->exchanges */
  pv_journal_mark before;
  uint32_t pendings, joins, heap, publications, fences; /* sizes of these arrays before it */
};
/* An event that races with a later event. */
struct pv_race {
  uint32_t event;
  bool settled; /* the search has handled this race (reverse.c) */
};
/* An entry in the list of the events of one thread. */
struct pv_own_event {
  uint32_t event; /* index into trace->events */
  struct pv_marks marks;
};
/* The operation at which a thread is parked. */
struct pv_parked {
  struct pv_marks marks;
  uint32_t next;         /* into trace->pendings */
  uint32_t waited_at;    /* likewise: the eager operation at which the thread had to wait */
  uint32_t base;         /* what happens before its next event: see pv_trace_base */
  uint16_t alternatives; /* without spurious wake-ups */
  uint8_t phase;         /* of a primitive: pv_sched.phase */
  uint8_t awaited;       /* PRIM: the thread that it joins, once that has ended;
                            PV_MAX_THREADS: none */
};
/* For each thread, the operation at which it is parked after a prefix of the execution, and which
 * threads are enabled there. */
struct pv_enabled_set {
  unsigned n;             /* thread slots */
  bool observed;          /* a second thread has existed (pv_vm_set_observed) */
  pv_threads alive, able; /* as in struct pv_moves; able: enabled, spurious wake-ups aside */
  pv_threads ready;       /* able, and no other thread is in an atomic section */
  pv_threads open;        /* parked at an operation that others can enable or disable */
  pv_threads known;       /* alive and not stuck */
  unsigned exclusive;
  pv_threads stuck;    /* the path has ended: by an error, a proviso, or in an await loop */
  pv_threads awaiting; /* stopped in an await loop (await.h) */
  pv_threads ends;     /* parked at the end of the whole program */
  pv_threads hiding;   /* parked at a hidden operation at which they have to wait */
  pv_threads eager;    /* parked at an eager operation; includes `hiding` */
  pv_threads waited;   /* they had to wait, and have executed no event since */
  struct pv_parked at[PV_MAX_THREADS]; /* by thread; the first n are valid */
};

/* Since this event, other threads can reach the object. */
struct pv_publication {
  uint32_t object, event;
};

/* A fence that followed this event. */
struct pv_fence_note {
  struct pv_fence fence;
  uint32_t event;
};

struct pv_trace {
  const struct pv_task *task;
  const struct pv_sched *sched;
  struct pv_vm *vm;
  struct pv_predicate *predicate;        /* NULL: every visible operation matters */
  struct pv_coverage_recorder *coverage; /* NULL: nobody asked */
  struct pv_sections sections;
  struct pv_journal journal;
  PV_VEC(struct pv_dpor_event) events;
  /* One for each prefix; the last one is that of the current state. */
  PV_VEC(struct pv_enabled_set) enabled_sets;
  PV_VEC(struct pv_pending) pendings;
  PV_VEC(struct pv_own_event) of[PV_MAX_THREADS]; /* by thread */
  PV_VEC(struct pv_joined_clock) joins;
  PV_VEC(struct pv_race) races;
  PV_VEC(struct pv_publication) publications; /* if the options ask for robustness */
  PV_VEC(struct pv_fence_note) fences;        /* likewise */
  struct pv_heap_notes heap;
  struct pv_waits waits;
  unsigned slots;   /* the most threads so far */
  bool exchanges;   /* the program uses compare-and-exchange */
  bool whole_bases; /* a base has both of its parts, though the clock of one may contain the other's
                     */
  bool eager;       /* ends and joins of threads are eager: only main creates and joins */
  bool not_eager;   /* another thread creates or joins one: the search must restart */
  bool at_thread_bound; /* a creation was refused at the bound: ends of threads matter */
  bool comes_back;      /* the address of a freed object may be reused: the search must restart */
  /* Called after each machine step with the errors that occurred in it. */
  void (*tell)(void *user, const struct pv_event *e);
  void *user;
};
/* Begins an empty execution. All arguments are borrowed; the machine must have been started. Set
 * `tell` afterwards. */
void pv_trace_begin(struct pv_trace *t, const struct pv_task *task, const struct pv_sched *sched,
                    struct pv_vm *vm, struct pv_predicate *predicate);
void pv_trace_free(struct pv_trace *t);
/* The pointwise maximum. */
static inline void pv_clock_join(const struct pv_trace *t, struct pv_clock *c,
                                 const struct pv_clock *with) {
  for (unsigned i = 0; i < t->slots; i++)
    if (with->at[i] > c->at[i]) c->at[i] = with->at[i];
}
/* Decodes pv_parked.base: 0, twice an event number (from 1), or twice an index into `joins`, plus
 * 1. NULL for 0. */
static inline const struct pv_clock *pv_trace_base(const struct pv_trace *t, uint32_t base) {
  if (!base) return NULL;
  return base & 1 ? &t->joins.at[base >> 1].clock : &t->events.at[(base >> 1) - 1].clock;
}
static inline const struct pv_enabled_set *pv_trace_enabled_set(const struct pv_trace *t) {
  return &t->enabled_sets.at[t->enabled_sets.n - 1];
}
/* The threads that the search may move in this state. A thread at the end of the program is among
 * them only if no other thread is. */
pv_threads pv_enabled_threads(const struct pv_enabled_set *f);
/* The transition that the thread would execute after the first n events. Whether a
 * compare-and-exchange stores is known only if n is the number of all events. */
struct pv_transition pv_trace_next(const struct pv_trace *t, uint32_t n, unsigned thread);

/* Is this operation, at which a thread of `vm` is parked, eager? `vm` may be any machine that
 * executes the same trace. */
bool pv_trace_is_eager(const struct pv_trace *t, struct pv_vm *vm, const struct pv_pending *p);

/* Would this transition be a whole critical section? Its accesses are known once it is executed. */
bool pv_trace_is_section(const struct pv_trace *t, const struct pv_transition *d);
/* Executes what pv_trace_next returned, with an alternative < alternatives. After any outcome other
 * than PV_RAN the thread is stuck; after PV_ENDED and PV_PRUNED all threads are. */
enum pv_outcome pv_trace_do(struct pv_trace *t, const struct pv_transition *transition);
/* Chooses whether ends and joins of threads are eager where possible. Initially they are. */
void pv_trace_set_eager(struct pv_trace *t, bool eager);
/* The context of a machine step. */
struct pv_stepping {
  unsigned thread;
  const struct pv_clock *past; /* a lower bound of what happens before the step */
  bool inside; /* part of a section that is one event: what follows the event follows the step */
  bool eager;  /* part of the event of another thread */
};
/* Call it after each machine step: notes its allocations and frees. Sets comes_back (heap.c).
 */
void pv_trace_note_heap(struct pv_trace *t, struct pv_stepping by);
/* From now on, addresses of freed objects are reused wherever the search found that they may be. */
void pv_trace_let_come_back(struct pv_trace *t);
/* Discards these findings, because the search restarts for another reason. */
void pv_trace_forget_heap(struct pv_trace *t);
/* The thread is stuck after the last event. */
void pv_trace_cut(struct pv_trace *t, unsigned thread);
void pv_trace_undo(struct pv_trace *t); /* reverts and removes the last event */
/* An atomic section with a choice in it consists of several events. Returns the first event of the
 * section that contains `event`, or `event` itself. */
uint32_t pv_trace_section(const struct pv_trace *t, uint32_t event);

/* Are the two transitions dependent? `earlier` was executed first. */
bool pv_trace_ordered(const struct pv_trace *t, const struct pv_transition *earlier,
                      const struct pv_transition *later);

/* The clock of everything that happens before the next event of the thread after n events: its last
 * event or its creation, and the threads that it has joined since. NULL: nothing. */
const struct pv_clock *pv_trace_before(const struct pv_trace *t, uint32_t n, unsigned thread);
/* Finds the races of a transition at which its thread is parked after n events. Appends the earlier
 * events to t->races, ordered by thread, returns their number, and stores the transition's clock.
 * If the races show that a section or a chain is not atomic, it is split. */
uint32_t pv_trace_races(struct pv_trace *t, uint32_t n, const struct pv_transition *transition,
                        struct pv_clock *clock);

/* ---- exchange.c: compare-and-exchange ---------------------------------------------------------
 */
bool pv_exchanges(const struct pv_program *p); /* does the program use it? */
/* What is known about the next transition. */
struct pv_exchange pv_exchange_of(const struct pv_trace *t, const struct pv_transition *d);
/* Stores in e->exchange what the event, which was just executed, added. */
void pv_exchange_was(const struct pv_trace *t, struct pv_dpor_event *e);
/* Event `at` races with the earlier event `race`. Would `at`, moved before `race` and after `rest`
 * (events that happen after neither), store nothing? false if that is not certain. */
bool pv_exchange_stays(const struct pv_trace *t, uint32_t at, uint32_t race, const uint32_t *rest,
                       uint32_t n);
uint64_t pv_trace_bytes(const struct pv_trace *t); /* memory in use */

#endif
