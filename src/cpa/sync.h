/* sync.h -- the scheduler's primitives in the symbolic engines: which are modelled, and which
 * objects (mutexes, semaphores) each call may refer to. The state of an object is a *cell* of its
 * own, separate from the memory of the object.
 *
 * Objects are found by constant addresses in calls and by source types. Objects on the heap, and
 * addresses where no object of the type is known, are not modelled; a call with them is an event.
 *
 * Values of cells. Mutex, spin lock: 0 if open, else 1 + the holding thread. Semaphore: its value.
 * Condition variable: none. After destruction: PV_SYNC_DESTROYED. */
#ifndef PV_SYNC_H
#define PV_SYNC_H

#include "cpa/layout.h"
#include "sched/sched.h"

/* name in the plug-in without __proviso_, number of object operands, their types */
#define PV_SYNC_OPS(X)                                                                             \
  X(thread_create, 0, NONE, NONE)                                                                  \
  X(thread_join, 0, NONE, NONE)                                                                    \
  X(thread_detach, 0, NONE, NONE)                                                                  \
  X(thread_exit, 0, NONE, NONE)                                                                    \
  X(thread_self, 0, NONE, NONE)                                                                    \
  X(thread_yield, 0, NONE, NONE)                                                                   \
  X(mutex_init, 1, MUTEX, NONE)                                                                    \
  X(mutex_destroy, 1, MUTEX, NONE)                                                                 \
  X(mutex_lock, 1, MUTEX, NONE)                                                                    \
  X(mutex_trylock, 1, MUTEX, NONE)                                                                 \
  X(mutex_timedlock, 1, MUTEX, NONE)                                                               \
  X(mutex_unlock, 1, MUTEX, NONE)                                                                  \
  X(spin_init, 1, SPIN, NONE)                                                                      \
  X(spin_destroy, 1, SPIN, NONE)                                                                   \
  X(spin_lock, 1, SPIN, NONE)                                                                      \
  X(spin_trylock, 1, SPIN, NONE)                                                                   \
  X(spin_unlock, 1, SPIN, NONE)                                                                    \
  X(cond_init, 1, COND, NONE)                                                                      \
  X(cond_destroy, 1, COND, NONE)                                                                   \
  X(cond_wait, 2, COND, MUTEX)                                                                     \
  X(cond_timedwait, 2, COND, MUTEX)                                                                \
  X(cond_signal, 1, COND, NONE)                                                                    \
  X(cond_broadcast, 1, COND, NONE)                                                                 \
  X(sem_init, 1, SEM, NONE)                                                                        \
  X(sem_destroy, 1, SEM, NONE)                                                                     \
  X(sem_wait, 1, SEM, NONE)                                                                        \
  X(sem_trywait, 1, SEM, NONE)                                                                     \
  X(sem_timedwait, 1, SEM, NONE)                                                                   \
  X(sem_post, 1, SEM, NONE)                                                                        \
  X(sem_getvalue, 1, SEM, NONE)

enum pv_sync_op {
#define X(N, O, A, B) PV_SYNC_##N,
  PV_SYNC_OPS(X)
#undef X
      PV_SYNC_OTHER /* not modelled */
};
enum pv_sync_type { PV_SYNC_NONE, PV_SYNC_MUTEX, PV_SYNC_SPIN, PV_SYNC_COND, PV_SYNC_SEM };
enum { PV_SYNC_DESTROYED = 0x7fffffff };

enum pv_sync_op pv_sync_op(const struct pv_prim *prim);
unsigned pv_sync_objects(enum pv_sync_op op); /* how many of its leading operands are objects */

struct pv_sync_cell {
  uint32_t place; /* of the layout */
  uint64_t offset;
  enum pv_sync_type type;
  bool mixed;   /* used as objects of several types */
  bool called;  /* a call may initialise it */
  bool static_; /* zero at the program's start, as after a static initialiser */
};
struct pv_sync;
/* Borrows all arguments. */
struct pv_sync *pv_sync_new(const struct pv_program *p, const struct pv_points_to *pt,
                            const struct pv_layout *layout);
void pv_sync_free(struct pv_sync *s); /* NULL is fine */
uint32_t pv_sync_cells(const struct pv_sync *s);
const struct pv_sync_cell *pv_sync_cell(const struct pv_sync *s, uint32_t cell);
/* The cells that operand 0 or 1 of a PRIM edge may denote. `exact`: there is only one. */
struct pv_sync_reach {
  bool exact;
  PV_VEC(uint32_t) cells;
};
const struct pv_sync_reach *pv_sync_reach(const struct pv_sync *s, uint32_t function, uint32_t edge,
                                          unsigned operand);
/* May threads wait for one condition variable with different mutexes? */
bool pv_sync_waits_differ(const struct pv_sync *s);

#endif
