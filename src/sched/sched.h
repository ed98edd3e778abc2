/* sched.h -- the scheduler is explicit: a table of functions over a state of its own.
 *
 * A plug-in names its primitives, says in how many alternatives a thread can go through one now,
 * and performs one of these alternatives. It sees thread ids, integers and addresses, never ir or
 * memory; what it must know of memory it asks through `pv_sched_env`. The VM executes primitives
 * with the values it knows; an engine with symbolic data executes the very same plug-in.
 *
 * The state is one flat byte string (`pv_sched_state`) without host pointers: equal scheduler
 * states are equal byte strings, so engines hash, store and compare it as bytes. Canonical form is
 * the plug-in's duty: records sorted, unused bytes zero, records equal to the default dropped. */
#ifndef PV_SCHED_H
#define PV_SCHED_H

#include "base/base.h"

#define PV_MAX_THREADS 64 /* at one time; reaching it is a proviso, never silent */

enum { PV_SCHED_DROP = 255 }; /* see `permute` */

struct pv_sched_state {
  uint8_t *data;
  uint32_t n, cap;
  bool dirty; /* set by the plug-in at every change, cleared by the engine */
};

/* What a plug-in may ask of the engine. `self` is the engine's. */
struct pv_sched_env {
  void *self;
  unsigned pointer_bits;
  /* Reads `bytes` (1, 2, 4, 8) little-endian from program memory; false: not readable or not
   * initialised. Never a scheduling point, never a race. */
  bool (*load)(void *self, uint64_t address, unsigned bytes, uint64_t *value);
  bool (*store)(void *self, uint64_t address, unsigned bytes, uint64_t value);
  /* A new thread that will run start(argument); the plug-in chose its id. */
  void (*spawn)(void *self, unsigned thread, uint64_t start, uint64_t argument);
};

enum pv_prim_class {
  PV_PRIM_LOCAL,  /* touches only the calling thread's part: never a scheduling point */
  PV_PRIM_OBJECT, /* touches the synchronisation object at args[0] (and args[1] if `two_objects`) */
  PV_PRIM_THREAD, /* touches another thread's part (create, join, detach, exit) */
};

/* What engines have to know of a primitive of threads besides. */
enum pv_prim_role {
  PV_ROLE_OTHER,
  PV_ROLE_CREATES, /* a thread; `spawn` is called */
  PV_ROLE_JOINS,
  PV_ROLE_EXITS /* the calling thread ends */
};

/* What a primitive of class OBJECT reads or writes in memory by itself lies in so many bytes from
 * the object's address on; the rest of its state is the plug-in's. */
#define PV_SYNC_BYTES 20

struct pv_prim {
  const char *name; /* as called by programs and models: "pthread_mutex_lock" */
  unsigned n_args;
  bool may_block;
  enum pv_prim_class class;
  bool two_objects; /* cond_wait: condition and mutex */
  enum pv_prim_role role;
  /* What a call returns that fails for want of resources; 0: it never does. The front end makes a
   * choice of it (option calls-may-fail); the plug-in's own calls succeed. */
  unsigned exhausted;
  bool release, acquire; /* orders earlier (later) accesses of the thread: for happens-before */
  unsigned id;           /* the plug-in's own */
};

enum {
  PV_PHASE_SEVERAL = 1, /* the call may have several alternatives in other states */
  PV_PHASE_IDLE = 2, /* set by the engine when it is done: the scheduler's state did not change */
  PV_PHASE_UNDER_WAY = 4, /* a stage of it is done: the thread stays at it for the rest */
  PV_PHASE_FREES = 8,     /* EXITS: the thread's number is free again at once */
  PV_PHASE_CROWDED = 16,  /* CREATES, set by the engine: it may have to refuse another thread */
  PV_PHASE_OWN = 32       /* from here on the plug-in's, up to 128 */
};

/* Why a call comes after another one; for the happens-before relation of stateless searches. */
enum pv_prim_order {
  PV_ORDER_FREE,     /* they commute, and neither gives the other a way */
  PV_ORDER_GIVES,    /* the later one had no way before, or right before, the earlier one */
  PV_ORDER_MAY_GIVE, /* ... or they commute, or the order matters: the calls alone do not tell */
  PV_ORDER_MATTERS,  /* both may have been possible before, and the order makes a difference */
};

/* One way through a primitive. */
enum pv_alternative_kind {
  PV_ALTERNATIVE_NORMAL,
  PV_ALTERNATIVE_TIMEOUT,  /* time passed; real progress */
  PV_ALTERNATIVE_SPURIOUS, /* a spurious wake-up: does not count against a deadlock */
};

enum pv_prim_outcome {
  PV_PRIM_DONE,   /* finished with *result; the thread goes on */
  PV_PRIM_AGAIN,  /* a stage was finished (cond_wait released its mutex): the thread stays at the
                     primitive and asks alternatives() again */
  PV_PRIM_MISUSE, /* undefined behaviour of the primitive: *message says what (static or arena
                     text); an error of def-behavior; where that is not asked the way counts as DONE
                   */
  PV_PRIM_EXITED, /* the calling thread ended */
  PV_PRIM_LIMIT,  /* a bound of the plug-in was hit (*message): the path is cut with a proviso */
};

struct pv_prim_call {
  unsigned thread;
  unsigned phase; /* what `phase` said when the call was looked at; only for `order` */
  const struct pv_prim *prim;
  uint64_t args[6];
};

/* What a call has to do with the *section* of a thread between its taking the object at args[0] and
 * its giving it back, in which no other thread is meanwhile. */
enum pv_prim_section {
  PV_SECTION_OTHER,  /* it may tell whether one is under way, or ends and begins one in between */
  PV_SECTION_BEGINS, /* waits until there is none, and begins one */
  PV_SECTION_ENDS,
  PV_SECTION_AROUND /* the object's life begins or ends */
};

struct pv_sched {
  const char *name;
  const struct pv_prim *prims;
  unsigned n_prims;
  bool preemptive; /* false: a thread runs until it blocks or yields */

  /* Initial state: one runnable thread 0 (main). */
  void (*init)(struct pv_sched_state *s);
  /* Number of alternatives call->thread can go through the primitive now; 0: blocked. kinds[i]
   * (room for PV_MAX_THREADS + 2) says what the i-th is. Depends on the state and the call alone.
   */
  unsigned (*alternatives)(const struct pv_sched_state *s, const struct pv_prim_call *call,
                           enum pv_alternative_kind *kinds);
  enum pv_prim_outcome (*exec)(struct pv_sched_state *s, const struct pv_sched_env *env,
                               const struct pv_prim_call *call, unsigned alternative,
                               uint64_t *result, const char **message);
  /* Number of thread slots in use (ids 0..n-1, some may be free) and whether one is alive
   * (created and not ended). */
  unsigned (*n_threads)(const struct pv_sched_state *s);
  bool (*alive)(const struct pv_sched_state *s, unsigned thread);
  uint64_t (*alive_set)(const struct pv_sched_state *s); /* bit t: thread t is alive */
  /* A memory range ends its life (free, end of a stack slot) or is overwritten by initialisation:
   * NULL if no synchronisation object in use lies in it, else what is wrong (misuse). Drops idle
   * records in the range. */
  const char *(*forget)(struct pv_sched_state *s, uint64_t address, uint64_t bytes);
  /* Is a synchronisation object in the range in use: held, or waited for? */
  bool (*in_use)(const struct pv_sched_state *s, uint64_t address, uint64_t bytes);
  /* Program memory was copied, and with it the synchronisation objects in it. What was in the
   * target range is forgotten. The copy of an idle object is like its original. Any use of the copy
   * of an object in use, but its initialisation, is misuse. */
  void (*copy)(struct pv_sched_state *s, uint64_t to, uint64_t from, uint64_t bytes);
  /* May two calls be executed in either order, with the same results and the same alternatives,
   * from every state where both have a way and neither is misuse? (One may give the other a way
   * that it had not: a post and a wait.) Symmetric; false (dependent) is always sound. Both by
   * different threads. */
  bool (*independent)(const struct pv_prim_call *a, const struct pv_prim_call *b);
  /* What else a thread's call depends on, as bits: PV_PHASE_*, and of the plug-in's own (the thread
   * holds the lock already). */
  unsigned (*phase)(const struct pv_sched_state *s, const struct pv_prim_call *call);
  /* Two calls of different threads that followed each other, in this order: what of it matters? */
  enum pv_prim_order (*order)(const struct pv_prim_call *earlier, const struct pv_prim_call *later);
  enum pv_prim_section (*section)(const struct pv_prim_call *call);
  /* The program memory, as large as a pointer, that a call of a thread primitive writes; 0: none.
   */
  uint64_t (*writes)(const struct pv_prim_call *call);
  /* Symmetry: the state itself treats threads alike; only their numbers tell them apart. */
  uint64_t (*used_set)(const struct pv_sched_state *s); /* bit t: the slot is not free */
  /* A hash of all that the state says of the thread, but for its number and other threads'. */
  uint64_t (*part)(const struct pv_sched_state *s, unsigned thread);
  /* The state in which thread t of `s` is thread to[t]; PV_SCHED_DROP: it ended and is joined. The
   * numbers of slots that are not free and not dropped stay different. `out` is initialised; what
   * was in it goes. */
  void (*permute)(const struct pv_sched_state *s, const uint8_t *to, struct pv_sched_state *out);
  /* Tells of all addresses in the state, and of values that may be some. */
  void (*addresses)(const struct pv_sched_state *s, void (*tell)(void *user, uint64_t address),
                    void *user);
  /* Does one of these lie in [base, base + size)? */
  bool (*refers)(const struct pv_sched_state *s, uint64_t base, uint64_t size);
  /* What thread waits for, for deadlock reports: "mutex `m` held by thread 2" without names of
   * objects: writes e.g. "a mutex held by thread 2" and the object's address. */
  void (*explain_block)(const struct pv_sched_state *s, const struct pv_prim_call *call,
                        struct pv_str *out, uint64_t *object);
  /* Does the thread hold what the call gives back? True for calls that give nothing back. */
  bool (*holds)(const struct pv_sched_state *s, const struct pv_prim_call *call);
  /* Of a call that takes a lock: would it wait now, whichever thread did it? */
  bool (*closed)(const struct pv_sched_state *s, const struct pv_prim_call *call);
  /* The other thread whose end the call waits for, or waited for if that has come already: while it
   * is alive the call is blocked, and nothing but its end, or misuse by others, unblocks it.
   * PV_MAX_THREADS: there is none, or the call is misuse. Whether the call wants anything else of
   * that thread (a result) is not asked here. */
  unsigned (*awaited)(const struct pv_sched_state *s, const struct pv_prim_call *call);
  /* Did a DONE call with this result do what prim->acquire and prim->release say? False for a
   * failed trylock or unlock: it orders nothing. (An AGAIN of cond_wait did release.) */
  bool (*synchronises)(const struct pv_prim_call *call, uint64_t result);
};

extern const struct pv_sched pv_sched_pthread;
/* The plug-in's primitive of that name, or NULL. */
const struct pv_prim *pv_sched_find(const struct pv_sched *sched, const char *name);

#endif
