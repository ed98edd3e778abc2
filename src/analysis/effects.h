/* effects.h -- the dependence relation that all engines share, in terms of effects: what an
 * operation does to memory, to a synchronisation object, to the set of threads, or to the
 * allocator. Two operations of different threads are dependent only if their effects on one of
 * these conflict. */
#ifndef PV_EFFECTS_H
#define PV_EFFECTS_H

#include "ir/ir.h"

/* A bit set. */
enum {
  PV_EFF_READ = 1,
  PV_EFF_WRITE = 2,
  PV_EFF_LOCK = 4,   /* acquires a mutex, spin lock or semaphore; may wait */
  PV_EFF_UNLOCK = 8, /* releases it */
  PV_EFF_SYNC = 16,  /* any other primitive */
  PV_EFF_SPAWN = 32, /* creates a thread */
  PV_EFF_JOIN = 64,
  PV_EFF_EXIT = 128,       /* ends a thread */
  PV_EFF_ADD = 256,        /* adds atomically and ignores the result */
  PV_EFF_CANCEL = 512,     /* asks a thread to end */
  PV_EFF_CANCELLED = 1024, /* finds out whether its own thread was asked to; may wait for that */
  PV_EFF_ALL = 2047,
  PV_EFF_NAMES = 2048 /* of code (thread_effects.h): it may name a thread by its number */
};
/* The effects that conflict with one of `a`: they do not commute with it, or may disable it. An
 * unlock does not conflict with a lock, because the lock waits for it. */
unsigned pv_effects_conflicting(unsigned a);
/* The effects that may enable a disabled operation with effects `a`. */
unsigned pv_effects_enabling(unsigned a);
/* The effects of a primitive, by name, on its objects or (*on_threads) on the set of threads. One
 * with prim->may_be_cancelled has PV_EFF_CANCELLED on that besides. */
unsigned pv_prim_effects(const char *prim_name, bool *on_threads);

#endif
