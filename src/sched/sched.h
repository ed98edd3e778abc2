/* sched.h -- the interface of scheduler plug-ins (as in ESST: Cimatti, Narasamdya, Roveri, LMCS
 * 2012, where an explicit scheduler is called with direct execution of its primitives). A plug-in
 * is a table of functions over a scheduler state of its own.
 *
 * A plug-in lists its primitives. It says in how many alternatives a thread can perform one in the
 * current state, and performs one of these alternatives. It sees thread numbers, integers and
 * addresses, never the ir or memory. It reads memory only through `pv_sched_env`. The VM executes
 * primitives with concrete values; a symbolic engine executes the same plug-in.
 *
 * The state (`pv_sched_state`) is one byte string without host pointers. Equal scheduler states are
 * equal byte strings, so engines can hash, store and compare them. The plug-in keeps the canonical
 * form: records are sorted, unused bytes are zero, records equal to the default are dropped. */
#ifndef PV_SCHED_H
#define PV_SCHED_H

#include "base/base.h"

#define PV_MAX_THREADS 64 /* alive at one time; beyond this number there is a proviso */

enum { PV_SCHED_DROP = 255 }; /* see `permute` */

/* Option --order: in which order a cooperative plug-in lets threads run that could all run. */
enum pv_sched_order {
  PV_ORDER_CREATION, /* the plug-in's own order: one */
  PV_ORDER_ALL,      /* every order of the threads, fixed in the first instant */
  PV_ORDER_ANY,      /* a new choice each time: an over-approximation of the others */
  PV_ORDER_ACCELLERA /* SystemC: that of the reference implementation; else as creation */
};

struct pv_sched_state {
  uint8_t *data;
  uint32_t n, cap;
  bool dirty; /* set by the plug-in at every change, cleared by the engine */
};

/* Services of the engine for the plug-in. `self` belongs to the engine. */
struct pv_sched_env {
  void *self;
  unsigned pointer_bits;
  /* Reads `bytes` (1, 2, 4, 8) little-endian from program memory. Returns false if they are not
   * readable or not initialised. This is neither a scheduling point nor a race. */
  bool (*load)(void *self, uint64_t address, unsigned bytes, uint64_t *value);
  bool (*store)(void *self, uint64_t address, unsigned bytes, uint64_t value);
  /* Creates a thread that will run start(argument). The plug-in has chosen its number. */
  void (*spawn)(void *self, unsigned thread, uint64_t start, uint64_t argument);
  /* Makes a thread, which was created before, run start(argument) instead of what it did: its stack
   * ends, if it has one. That of the calling thread ends with the primitive, which is AGAIN or
   * EXITED; then both arguments are 0. Engines that execute the scheduler beside symbolic data
   * support 0 only. */
  void (*restart)(void *self, unsigned thread, uint64_t start, uint64_t argument);
  /* Adds the proviso "provided that SENTENCE" (static) to the result; NULL: the engine has no need
   * for it. */
  void (*provided)(void *self, const char *sentence);
};

enum pv_prim_class {
  PV_PRIM_LOCAL, /* affects only the calling thread's part of the state: never a scheduling point */
  PV_PRIM_OBJECT, /* affects the synchronisation object at args[0] (and args[1] if `two_objects`) */
  PV_PRIM_THREAD, /* affects another thread's part of the state (create, join, detach, exit) */
};

/* What a primitive of class THREAD does to the set of threads, as far as engines must know it. */
enum pv_prim_role {
  PV_ROLE_OTHER,
  PV_ROLE_CREATES, /* creates a thread; `spawn` is called */
  PV_ROLE_JOINS,
  PV_ROLE_EXITS /* ends the calling thread */
};

/* A primitive of class OBJECT reads and writes program memory only in this many bytes from the
 * object's address on. The rest of the object's state is inside the plug-in. */
#define PV_SYNC_BYTES 20

struct pv_prim {
  const char *name; /* as called by programs and models: "pthread_mutex_lock" */
  unsigned n_args;
  bool may_block;
  enum pv_prim_class class;
  bool two_objects; /* cond_wait: condition and mutex */
  enum pv_prim_role role;
  /* What the call returns if it fails for lack of resources; 0: it cannot fail so. The frontend
   * adds a branch for it (option calls-may-fail). The plug-in itself always succeeds. */
  unsigned exhausted;
  /* What an attempt, a call that never waits, returns where it would have to wait: EBUSY, EAGAIN.
   * 0: the call is no attempt. */
  unsigned fails;
  bool may_be_cancelled; /* class OBJECT: a request to cancel its own thread matters, too */
  bool release, acquire; /* orders the thread's earlier (later) accesses: for happens-before */
  unsigned id;           /* for use by the plug-in */
};

enum {
  PV_PHASE_SEVERAL = 1, /* the call may have more than one alternative in other states */
  PV_PHASE_IDLE = 2, /* set by the engine after execution: the scheduler's state did not change */
  PV_PHASE_UNDER_WAY = 4, /* a stage of the call is done: the thread stays at it for the rest */
  PV_PHASE_FREES = 8,     /* EXITS: the thread's number can be used again at once */
  PV_PHASE_AT_BOUND = 16, /* CREATES, set by the engine: another thread may exceed the bound */
  PV_PHASE_OWN = 32       /* this bit and the following ones, up to 128, belong to the plug-in */
};

/* How the order of two calls matters, for the happens-before relation of stateless searches. */
enum pv_prim_order {
  PV_PRIM_ORDER_FREE,     /* they commute, and neither enables the other */
  PV_PRIM_ORDER_GIVES,    /* the earlier call enabled the later one */
  PV_PRIM_ORDER_MAY_GIVE, /* one of FREE, GIVES and MATTERS; the calls alone do not tell which */
  PV_PRIM_ORDER_MATTERS, /* both may have been enabled before, and their order makes a difference */
};

/* One of the ways in which a primitive can be performed. */
enum pv_alternative_kind {
  PV_ALTERNATIVE_NORMAL,
  PV_ALTERNATIVE_TIMEOUT,  /* a timeout; counts as progress */
  PV_ALTERNATIVE_SPURIOUS, /* a spurious wake-up; a deadlock is reported even if there is one */
};

enum pv_prim_outcome {
  PV_PRIM_DONE,   /* finished with *result; the thread continues */
  PV_PRIM_AGAIN,  /* one stage is finished (cond_wait released its mutex); the thread stays at the
                     primitive and asks alternatives() again */
  PV_PRIM_MISUSE, /* undefined behaviour of the primitive; *message says what (static or arena
                     text). An error of def-behavior; if that is not checked, the same as DONE */
  PV_PRIM_EXITED, /* the calling thread has ended */
  PV_PRIM_LIMIT,  /* a bound of the plug-in was hit (*message): the path is cut with a proviso */
};

struct pv_prim_call {
  unsigned thread;
  unsigned phase; /* the result of `phase` before the call; only for `order` */
  const struct pv_prim *prim;
  uint64_t args[6];
};

/* The relation of a call to critical sections. A *section* is the part of a thread between
 * acquiring the object at args[0] and releasing it; no other thread is in one of the same object
 * meanwhile. */
enum pv_prim_section {
  PV_SECTION_OTHER, /* may observe whether a section is active, or ends and begins one in between */
  PV_SECTION_BEGINS, /* waits until no section is active, and begins one */
  PV_SECTION_ENDS,
  PV_SECTION_AROUND /* begins or ends the lifetime of the object */
};

struct pv_sched {
  const char *name;
  const struct pv_prim *prims;
  unsigned n_prims;
  /* false: the plug-in is cooperative. At most one thread is running, and only it moves, until it
   * blocks, yields or ends in a primitive. So accesses to memory are no scheduling points, and no
   * races. See `may_run`. */
  bool preemptive;
  /* The model function that is the bottom frame of a created thread; it runs start(argument), and
   * ends the thread. */
  const char *bottom;

  /* Sets the initial state: one thread, number 0 (main), which is running (cooperative) or runnable
   * (preemptive: `order` is ignored). */
  void (*init)(struct pv_sched_state *s, enum pv_sched_order order);

  /* ---- cooperative plug-ins; NULL if the plug-in is preemptive.
   * The threads that may move now, as a set of bits: the running one; or, if there is none, those
   * that the scheduler may choose next (`Sched` of the paper: its answer is the set of the states
   * dispatch(s, t) for t in the set). Empty: no thread can ever run again; a deadlock if a thread
   * is alive. Order `creation` gives at most one thread.
   *
   * `exec` of a primitive that has to wait returns AGAIN, and then no thread is running. The
   * waiting thread stays at its primitive. When it was chosen and dispatched, `exec` is called
   * again, and is DONE. `alternatives` is always 1. A created thread does nothing before it is
   * chosen. Everything that happens between two runs of threads (the end of an instant) happens in
   * the call after which no thread is running, so that all states have a unique form. */
  uint64_t (*may_run)(const struct pv_sched_state *s);
  /* Makes a thread of `may_run` the running one. Call it before each of its transitions; no
   * effect if it is running already. */
  void (*dispatch)(struct pv_sched_state *s, unsigned thread);
  /* Does the thread run beside the scheduler, at any speed? The plug-in lets it run on at once. An
   * engine adds a proviso for what it does there that others can observe. */
  bool (*beside)(const struct pv_sched_state *s, unsigned thread);
  /* Optional, for property no-endless-instant. Is an instant under way, and has one of its threads
   * run? An instant is what the plug-in calls so: while it lasts, nothing outside of it happens,
   * and time stands still. It is false in some state between any two instants, and while no instant
   * goes on, or a thread runs beside the scheduler. So an instant never ends if this stays true for
   * ever while threads move. */
  bool (*inside)(const struct pv_sched_state *s);
  /* Optional, for reductions. true: it makes no difference whether the thread, which can run now,
   * makes the call now or after what others do. In detail: others only observe that the thread
   * waits; a call that does not wait now would not wait later, and has the same result; if it
   * waits, it goes on as soon as a later call would not wait, with the result of that. docs/esst.md
   * has the use. */
  bool (*waits_early)(const struct pv_prim_call *call);
  /* Optional, for reductions. true: the call leaves it as it is who runs next: every other thread
   * that can run now will run, and before that no thread runs that cannot run now. docs/esst.md has
   * the use. */
  bool (*keeps_turns)(const struct pv_prim_call *call);
  /* Optional, for abstractions. Makes the state forget numbers that only grow, such as the time,
   * which it keeps only for calls that read them. Then the result of such a call means nothing. */
  void (*forget_clock)(struct pv_sched_state *s);
  bool (*reads_clock)(const struct pv_prim *prim);
  /* The one primitive after which `restart` may be called; NULL: none. */
  const char *restarts;

  /* ---- all plug-ins */
  /* The number of alternatives in which call->thread can perform the primitive now; 0: it is
   * blocked. kinds[i] (room for PV_MAX_THREADS + 2) is the kind of the i-th. Depends only on the
   * state and the call. */
  unsigned (*alternatives)(const struct pv_sched_state *s, const struct pv_prim_call *call,
                           enum pv_alternative_kind *kinds);
  enum pv_prim_outcome (*exec)(struct pv_sched_state *s, const struct pv_sched_env *env,
                               const struct pv_prim_call *call, unsigned alternative,
                               uint64_t *result, const char **message);
  /* The number of thread slots in use (numbers 0..n-1, some of which may be free), and whether a
   * thread is alive (created and not ended). */
  unsigned (*n_threads)(const struct pv_sched_state *s);
  bool (*alive)(const struct pv_sched_state *s, unsigned thread);
  uint64_t (*alive_set)(const struct pv_sched_state *s); /* bit t: thread t is alive */
  /* Call it if the lifetime of a memory range ends (free, end of a stack slot), or if it is
   * overwritten by initialisation. Returns NULL if no synchronisation object in use is in it, else
   * a message (misuse). Drops records of idle objects in the range. */
  const char *(*forget)(struct pv_sched_state *s, uint64_t address, uint64_t bytes);
  /* Is a synchronisation object in the range in use, that is, held or waited for? */
  bool (*in_use)(const struct pv_sched_state *s, uint64_t address, uint64_t bytes);
  /* Call it after a copy of program memory; copies the synchronisation objects in it. Records
   * of the target range are dropped. The copy of an idle object equals its original. Any use of the
   * copy of an object in use, except its initialisation, is misuse. */
  void (*copy)(struct pv_sched_state *s, uint64_t to, uint64_t from, uint64_t bytes);
  /* Can two calls of different threads be executed in either order, with the same results and the
   * same alternatives, from every state in which both are enabled and neither is misuse? (One may
   * enable the other: a post and a wait.) Symmetric. false (dependent) is always sound. */
  bool (*independent)(const struct pv_prim_call *a, const struct pv_prim_call *b);
  /* Further facts that the dependence of a call rests on, as bits: PV_PHASE_*, and bits of the
   * plug-in (for instance: the thread holds the lock already). */
  unsigned (*phase)(const struct pv_sched_state *s, const struct pv_prim_call *call);
  /* How does the order of two adjacent calls of different threads matter? */
  enum pv_prim_order (*order)(const struct pv_prim_call *earlier, const struct pv_prim_call *later);
  enum pv_prim_section (*section)(const struct pv_prim_call *call);
  /* The address at which a call of class THREAD writes a word of the size of a pointer; 0: none. */
  uint64_t (*writes)(const struct pv_prim_call *call);
  /* ---- symmetry: the state treats threads alike; only their numbers distinguish them. */
  uint64_t (*used_set)(const struct pv_sched_state *s); /* bit t: the slot is not free */
  /* A hash of everything in the state about the thread, except its number and the numbers of other
   * threads. */
  uint64_t (*part)(const struct pv_sched_state *s, unsigned thread);
  /* The state in which thread t of `s` has the number to[t]; PV_SCHED_DROP: it has ended and was
   * joined. Numbers of used slots that are not dropped stay distinct. `out` must be initialised;
   * its content is replaced. */
  void (*permute)(const struct pv_sched_state *s, const uint8_t *to, struct pv_sched_state *out);
  /* Optional. Would the state be the same if the two threads, which are alive and do not run,
   * exchanged their numbers, and would those of new threads be? */
  bool (*alike)(const struct pv_sched_state *s, unsigned a, unsigned b);
  /* Optional, with `alike`. Does an argument or the result of the primitive name a thread that
   * exists already by its number? */
  bool (*names_threads)(const struct pv_prim *prim);
  /* Calls `tell` for each address in the state, and for each value that may be one. */
  void (*addresses)(const struct pv_sched_state *s, void (*tell)(void *user, uint64_t address),
                    void *user);
  /* Is one of these in [base, base + size)? */
  bool (*refers)(const struct pv_sched_state *s, uint64_t base, uint64_t size);
  /* What the call waits for, for reports of deadlocks: writes a text such as "a mutex held by
   * thread 2", without names of objects, and the object's address. */
  void (*explain_block)(const struct pv_sched_state *s, const struct pv_prim_call *call,
                        struct pv_str *out, uint64_t *object);
  /* Does the thread hold what the call releases? True for calls that release nothing. */
  bool (*holds)(const struct pv_sched_state *s, const struct pv_prim_call *call);
  /* For a call that acquires a lock: would it block now, whichever thread performed it? */
  bool (*closed)(const struct pv_sched_state *s, const struct pv_prim_call *call);
  /* The thread for whose end the call waits or waited. While that thread is alive, the call is
   * blocked, and only its end, or misuse by others, enables it. PV_MAX_THREADS: there is no
   * such thread, or the call is misuse. A result that the call wants from that thread is not
   * considered. */
  unsigned (*awaited)(const struct pv_sched_state *s, const struct pv_prim_call *call);
  /* Did a DONE call with this result acquire and release as prim->acquire and prim->release
   * say? False for a failed trylock or unlock, which order nothing. (An AGAIN of cond_wait did
   * release.) */
  bool (*synchronises)(const struct pv_prim_call *call, uint64_t result);
};

extern const struct pv_sched pv_sched_pthread, pv_sched_fairthreads, pv_sched_systemc,
    pv_sched_osek;
/* All plug-ins, in the order of option --scheduler after `auto`; NULL-terminated (sched.c, the one
 * file that names them). */
extern const struct pv_sched *const pv_scheds[];
/* Returns the plug-in's primitive of that name, or NULL. */
const struct pv_prim *pv_sched_find(const struct pv_sched *sched, const char *name);
/* The plug-in of a program: `sched`, or pthread for a program that names none (NULL). */
static inline const struct pv_sched *pv_sched_of(const struct pv_sched *sched) {
  return sched ? sched : &pv_sched_pthread;
}
/* The threads that may move as far as the plug-in is concerned: all of a preemptive one. */
static inline uint64_t pv_sched_may_run(const struct pv_sched *sched,
                                        const struct pv_sched_state *s) {
  return sched->may_run ? sched->may_run(s) : UINT64_MAX;
}

#endif
