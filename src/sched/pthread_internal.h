/* pthread_internal.h -- shared by the files of the pthread plug-in: the records of its state, and
 * the context in which a primitive is executed. Nothing outside the plug-in includes it.
 *
 * State: a header, one record for each thread slot, and the records of synchronisation objects,
 * sorted by (address, type, holder). It is packed; see pthread_state.c.
 * Invariants (canonical form, so that equal states are equal bytes):
 *  - padding is zero; the last thread slot is in use (slot 0 is main's and always there);
 *  - a free slot is all zero; an ended thread has only its result (a request to cancel it is
 *    forgotten); `object` and `mutex` are zero unless the thread is in a wait; an ended thread owns
 *    nothing under its own number, because the number may be reused: PT_GONE owns what it still
 *    held;
 *  - a record that equals that of a statically initialised object is absent. */
#ifndef PV_SCHED_PTHREAD_INTERNAL_H
#define PV_SCHED_PTHREAD_INTERNAL_H

#include "sched/sched.h"

enum pt_status { PT_FREE, PT_ALIVE, PT_ENDED /* and not yet joined */ };

/* The stage that a thread has reached in a primitive of several steps. */
enum pt_stage {
  PT_NOT_WAITING,
  PT_WAITING,   /* enqueued at `object` */
  PT_WOKEN,     /* signalled, or released from the barrier */
  PT_SERIAL,    /* released from the barrier as its serial thread */
  PT_TIMED_OUT, /* left the condition's queue while its mutex was taken */
  /* Like PT_WOKEN, and no other thread was left waiting: nobody is owed the signal. */
  PT_WOKEN_LAST,
  /* Was cancelled before it waited: has unlocked its mutex, and waits for no signal. */
  PT_LEAVING,
};

struct pt_thread {
  uint8_t status, detached, stage, cancelled, may_leave /* the wait, if cancelled */, zero[3];
  uint64_t object, mutex; /* stage != 0: the condition or barrier, the condition's mutex */
  uint64_t result;        /* PT_ENDED */
};

/* type    name                  has a static initialiser */
#define PT_TYPES(X)                                                                                \
  X(MUTEX, "mutex", true)                                                                          \
  X(COND, "condition variable", true)                                                              \
  X(RWLOCK, "read-write lock", true)                                                               \
  X(RWHOLD, "read-write lock", true) /* one reader's hold of a RWLOCK */                           \
  X(SPIN, "spin lock", false)                                                                      \
  X(SEM, "semaphore", false)                                                                       \
  X(BARRIER, "barrier", false)                                                                     \
  X(ONCE, "once control", true)
enum pt_type {
#define X(T, N, S) PT_##T,
  PT_TYPES(X)
#undef X
      PT_TYPE_COUNT
};

enum { /* flags */
       PT_INITIALISED = 1,
       PT_DESTROYED = 2,
       PT_COPY_OF_USED = 4, /* its bytes were copied from an object in use */
       PT_COPY = 8          /* ... from an idle one that was initialised */
};
enum { PT_NORMAL, PT_RECURSIVE, PT_ERRORCHECK };     /* sub of a MUTEX */
enum { PT_ONCE_NEW, PT_ONCE_RUNNING, PT_ONCE_DONE }; /* sub of a ONCE */
/* owner: thread + 1, or one of these; GONE: a thread that has ended. */
enum { PT_NOBODY = 0, PT_GONE = 255 };

struct pt_object {
  uint64_t address;
  uint8_t type, sub, flags, owner, holder /* RWHOLD: encoded as owner */, zero[3];
  uint32_t count; /* MUTEX, RWHOLD: how often held; SEM: value; BARRIER: threads it waits for */
  uint32_t zero_tail;
};

/* Linux's error numbers: the program's, not the host's. */
enum {
  PT_EPERM = 1,
  PT_ESRCH = 3,
  PT_EAGAIN = 11,
  PT_ENOMEM = 12,
  PT_EBUSY = 16,
  PT_EINVAL = 22,
  PT_ENOSPC = 28,
  PT_EDEADLK = 35,
  PT_EOVERFLOW = 75,
  PT_ETIMEDOUT = 110,
  PT_ECANCELED = 125
};
#define PT_SEM_MAX   0x7fffffffu
#define PT_NO_THREAD 0xffffu /* what thread_create returns instead of an id, where it fails */

/* ---- state (pthread_state.c) ----------------------------------------------------------------- */
void pt_init(struct pv_sched_state *s, enum pv_sched_order order);
unsigned pt_threads(const struct pv_sched_state *s);
unsigned pt_objects(const struct pv_sched_state *s);
struct pt_thread pt_thread(const struct pv_sched_state *s, unsigned thread); /* free if absent */
enum pt_status pt_status(const struct pv_sched_state *s, unsigned thread);   /* of it alone */
unsigned pt_stage(const struct pv_sched_state *s, unsigned thread);          /* likewise */
bool pt_is_detached(const struct pv_sched_state *s, unsigned thread);        /* likewise */
bool pt_is_cancelled(const struct pv_sched_state *s, unsigned thread);       /* likewise */
bool pt_anything_but_status(const struct pv_sched_state *s); /* of any thread: details */
uint64_t pt_alive_set(const struct pv_sched_state *s);       /* bit t: thread t is alive */
void pt_set_thread(struct pv_sched_state *s, unsigned thread, const struct pt_thread *t);
struct pt_object pt_object_at(const struct pv_sched_state *s, unsigned index);
/* Returns false, and leaves *out unchanged, if there is no such record. */
bool pt_find(const struct pv_sched_state *s, uint64_t address, enum pt_type type, unsigned holder,
             struct pt_object *out);
/* The index of the first record at or after `address`. */
unsigned pt_first_at(const struct pv_sched_state *s, uint64_t address);
uint64_t pt_used_set(const struct pv_sched_state *s); /* bit t: slot t is not free */
/* ---- symmetry (pthread_symmetry.c): see sched.h */
uint64_t pt_part(const struct pv_sched_state *s, unsigned thread);
bool pt_alike(const struct pv_sched_state *s, unsigned a, unsigned b);
void pt_permute(const struct pv_sched_state *s, const uint8_t *to, struct pv_sched_state *out);
void pt_addresses(const struct pv_sched_state *s, void (*tell)(void *user, uint64_t address),
                  void *user);
bool pt_refers(const struct pv_sched_state *s, uint64_t base, uint64_t size);
/* Inserts or replaces the record; removes it if it equals that of a statically initialised object.
 */
void pt_put(struct pv_sched_state *s, const struct pt_object *o);
void pt_remove_range(struct pv_sched_state *s, uint64_t address, uint64_t bytes);
/* Makes PT_GONE the owner of everything that `thread` holds. */
void pt_orphan(struct pv_sched_state *s, unsigned thread);
/* Threads waiting at `object` and not yet woken; `list` may be NULL. */
unsigned pt_waiters(const struct pv_sched_state *s, uint64_t object, uint8_t *list);
unsigned pt_readers(const struct pv_sched_state *s, uint64_t rwlock); /* holds of all readers */

/* ---- one execution --------------------------------------------------------------------------- */
struct pt_op {
  struct pv_sched_state *s;
  const struct pv_sched_env *env;
  const struct pv_prim_call *call;
  unsigned alternative, self; /* self: the owner number of the calling thread */
  uint64_t result;
  const char *message;
};
typedef unsigned pt_alternatives_fn(const struct pv_sched_state *s, const struct pv_prim_call *call,
                                    enum pv_alternative_kind *kinds);
typedef enum pv_prim_outcome pt_exec_fn(struct pt_op *o);

/* Returns DONE with this result, or MISUSE if there is a message. */
enum pv_prim_outcome pt_done(struct pt_op *o, uint64_t result);
enum pv_prim_outcome pt_misuse(struct pt_op *o, uint64_t result, const char *message);
/* Finds the object of the type at `address`. Returns false, with a message, if it cannot be used
 * (destroyed, of another type). Memory that was never initialised also causes a message; the object
 * is then treated as statically initialised. */
bool pt_open(struct pt_op *o, uint64_t address, enum pt_type type, struct pt_object *out);
/* Shared by all types: *out is the new object's record, to be completed and put by the caller. */
void pt_open_init(struct pt_op *o, enum pt_type type, struct pt_object *out);
enum pv_prim_outcome pt_destroy(struct pt_op *o, enum pt_type type, bool in_use);

/* One alternative, NORMAL. */
pt_alternatives_fn pt_alternatives_one;
static inline unsigned pt_alternative(enum pv_alternative_kind *kinds,
                                      enum pv_alternative_kind kind) {
  kinds[0] = kind;
  return 1;
}
/* Can the thread take the mutex now? */
bool pt_mutex_free(const struct pv_sched_state *s, uint64_t mutex);
/* `awaited` of sched.h. */
unsigned pt_awaited(const struct pv_sched_state *s, const struct pv_prim_call *call);
bool pt_rwlock_blocks_reader(const struct pv_sched_state *s, uint64_t rwlock, unsigned self);
bool pt_rwlock_blocks_writer(const struct pv_sched_state *s, uint64_t rwlock, unsigned self);

/* ---- the primitives ---------------------------------------------------------------------------
 * name (without __proviso_), arguments, may_block, class, two_objects, acquire, release,
 * alternatives, exec. Signals neither acquire nor release: what a waiter may rely on is ordered by
 * the mutex. */
#define PT_PRIMS(X)                                                                                \
  X(thread_create, 4, 0, THREAD, 0, 0, 1, pt_alternatives_one, pt_thread_create)                   \
  X(thread_join, 2, 1, THREAD, 0, 1, 0, pt_alternatives_join, pt_thread_join)                      \
  X(thread_detach, 1, 0, THREAD, 0, 0, 0, pt_alternatives_one, pt_thread_detach)                   \
  X(thread_exit, 1, 0, THREAD, 0, 0, 1, pt_alternatives_one, pt_thread_exit)                       \
  X(thread_cancel, 1, 0, THREAD, 0, 0, 0, pt_alternatives_one, pt_thread_cancel)                   \
  X(thread_is_cancelled, 0, 0, THREAD, 0, 0, 0, pt_alternatives_one, pt_thread_is_cancelled)       \
  X(thread_join_cancel, 2, 1, THREAD, 0, 1, 0, pt_alternatives_join_cancel, pt_thread_join_cancel) \
  X(thread_self, 0, 0, LOCAL, 0, 0, 0, pt_alternatives_one, pt_thread_self)                        \
  X(thread_yield, 0, 0, LOCAL, 0, 0, 0, pt_alternatives_one, pt_thread_yield)                      \
  X(mutex_init, 2, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_mutex_init)                         \
  X(mutex_destroy, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_mutex_destroy)                   \
  X(mutex_lock, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_mutex_lock, pt_mutex_lock)                  \
  X(mutex_trylock, 1, 0, OBJECT, 0, 1, 0, pt_alternatives_one, pt_mutex_trylock)                   \
  X(mutex_timedlock, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_mutex_timedlock, pt_mutex_timedlock)   \
  X(mutex_unlock, 1, 0, OBJECT, 0, 0, 1, pt_alternatives_one, pt_mutex_unlock)                     \
  X(cond_init, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_cond_init)                           \
  X(cond_destroy, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_cond_destroy)                     \
  X(cond_wait, 2, 1, OBJECT, 1, 1, 1, pt_alternatives_cond_wait, pt_cond_wait)                     \
  X(cond_timedwait, 2, 1, OBJECT, 1, 1, 1, pt_alternatives_cond_timedwait, pt_cond_wait)           \
  X(cond_wait_cancel, 2, 1, OBJECT, 1, 1, 1, pt_alternatives_cond_wait_cancel,                     \
    pt_cond_wait_cancel)                                                                           \
  X(cond_timedwait_cancel, 2, 1, OBJECT, 1, 1, 1, pt_alternatives_cond_timedwait_cancel,           \
    pt_cond_wait_cancel)                                                                           \
  X(cond_signal, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_cond_signal, pt_cond_signal)               \
  X(cond_broadcast, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_cond_broadcast)                 \
  X(rwlock_init, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_rwlock_init)                       \
  X(rwlock_destroy, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_rwlock_destroy)                 \
  X(rwlock_rdlock, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_rdlock, pt_rdlock)                       \
  X(rwlock_tryrdlock, 1, 0, OBJECT, 0, 1, 0, pt_alternatives_one, pt_tryrdlock)                    \
  X(rwlock_timedrdlock, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_timedrdlock, pt_timedrdlock)        \
  X(rwlock_wrlock, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_wrlock, pt_wrlock)                       \
  X(rwlock_trywrlock, 1, 0, OBJECT, 0, 1, 0, pt_alternatives_one, pt_trywrlock)                    \
  X(rwlock_wrlock_first, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_wrlock_first, pt_wrlock_first)     \
  X(rwlock_timedwrlock, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_timedwrlock, pt_timedwrlock)        \
  X(rwlock_unlock, 1, 0, OBJECT, 0, 0, 1, pt_alternatives_one, pt_rwlock_unlock)                   \
  X(spin_init, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_spin_init)                           \
  X(spin_destroy, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_spin_destroy)                     \
  X(spin_lock, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_spin_lock, pt_spin_lock)                     \
  X(spin_trylock, 1, 0, OBJECT, 0, 1, 0, pt_alternatives_one, pt_spin_trylock)                     \
  X(spin_unlock, 1, 0, OBJECT, 0, 0, 1, pt_alternatives_one, pt_spin_unlock)                       \
  X(sem_init, 2, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_sem_init)                             \
  X(sem_destroy, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_sem_destroy)                       \
  X(sem_wait, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_sem_wait, pt_sem_wait)                        \
  X(sem_wait_cancel, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_sem_wait_cancel, pt_sem_wait_cancel)   \
  X(sem_trywait, 1, 0, OBJECT, 0, 1, 0, pt_alternatives_one, pt_sem_trywait)                       \
  X(sem_timedwait, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_sem_timedwait, pt_sem_timedwait)         \
  X(sem_post, 1, 0, OBJECT, 0, 0, 1, pt_alternatives_one, pt_sem_post)                             \
  X(sem_getvalue, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_sem_getvalue)                     \
  X(barrier_init, 2, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_barrier_init)                     \
  X(barrier_destroy, 1, 0, OBJECT, 0, 0, 0, pt_alternatives_one, pt_barrier_destroy)               \
  X(barrier_wait, 1, 1, OBJECT, 0, 1, 1, pt_alternatives_barrier_wait, pt_barrier_wait)            \
  X(once_enter, 1, 1, OBJECT, 0, 1, 0, pt_alternatives_once_enter, pt_once_enter)                  \
  X(once_leave, 1, 0, OBJECT, 0, 0, 1, pt_alternatives_one, pt_once_leave)

enum pt_prim {
#define X(N, A, B, C, T, Q, R, W, E) PT_P_##N,
  PT_PRIMS(X)
#undef X
      PT_PRIM_COUNT
};
#define X(N, A, B, C, T, Q, R, W, E)                                                               \
  pt_alternatives_fn W;                                                                            \
  pt_exec_fn E;
PT_PRIMS(X)
#undef X

#endif
