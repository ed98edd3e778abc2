/* effects.h -- the shared dependence relation, stated on effects: what an operation does to a piece
 * of memory, to a synchronisation object, to the set of threads, to the allocator. Two operations
 * of different threads are dependent only if their effects on one of these conflict. */
#ifndef PV_EFFECTS_H
#define PV_EFFECTS_H

#include "ir/ir.h"

/* A bit set. */
enum {
  PV_EFF_READ = 1,
  PV_EFF_WRITE = 2,
  PV_EFF_LOCK = 4,   /* takes a mutex, spin lock or semaphore, waiting for it */
  PV_EFF_UNLOCK = 8, /* gives it back */
  PV_EFF_SYNC = 16,  /* any other primitive */
  PV_EFF_SPAWN = 32, /* threads: creates */
  PV_EFF_JOIN = 64,
  PV_EFF_EXIT = 128, /* threads */
  PV_EFF_ADD = 256,  /* adds atomically and does not look at the result */
  PV_EFF_ALL = 511
};
/* The effects that conflict with one of `a`: those that do not commute with it or may disable it.
 * An unlock does not conflict with a lock: the lock waits for it. */
unsigned pv_effects_conflicting(unsigned a);
/* Those that may unblock an operation with effects `a`, which is blocked. */
unsigned pv_effects_enabling(unsigned a);
/* Effects of a primitive on its objects (by name), or, *on_threads, on the set of threads. */
unsigned pv_prim_effects(const char *prim_name, bool *on_threads);

#endif
