/* future.h -- what a thread may still do: for every program point, which memory and which
 * synchronisation objects the code after it can touch, calls and created threads included.
 *
 * Memory is divided into regions: one for each global whose address is only ever used to access it
 * directly, one for everything else (heap, stack slots, globals whose address travels), one for
 * the set of threads and one for the allocator. The shared dependence relation is stated on
 * regions: two operations of different threads are dependent only if their effects on some region
 * conflict (pv_effects_conflict). */
#ifndef PV_FUTURE_H
#define PV_FUTURE_H

#include "ir/ir.h"

enum { PV_REGION_OTHER, PV_REGION_THREADS, PV_REGION_HEAP, PV_REGION_FIRST_GLOBAL };

/* Effects on a region, a bit set. */
enum {
  PV_EFF_READ = 1,
  PV_EFF_WRITE = 2,
  PV_EFF_LOCK = 4,   /* takes a mutex, spin lock or semaphore, waiting for it */
  PV_EFF_UNLOCK = 8, /* gives it back */
  PV_EFF_SYNC = 16,  /* any other primitive */
  PV_EFF_SPAWN = 32, /* THREADS: creates */
  PV_EFF_JOIN = 64,
  PV_EFF_EXIT = 128, /* THREADS */
  PV_EFF_ADD = 256,  /* adds atomically and does not look at the result */
};
/* Conservative: true unless operations with these effects on one region commute whenever both are
 * possible, and neither can disable the other. An unlock does not conflict with a lock: the lock
 * waits for it. */
bool pv_effects_conflict(unsigned a, unsigned b);
/* The effects that conflict with one of `a`; those that may unblock an operation with effects `a`,
 * which is blocked. */
unsigned pv_effects_conflicting(unsigned a);
unsigned pv_effects_enabling(unsigned a);

struct pv_future;
struct pv_future *pv_future_new(const struct pv_program *p);
void pv_future_free(struct pv_future *f);
/* Region of a global's memory. */
uint32_t pv_future_region(const struct pv_future *f, uint32_t global);
/* Effects on the region of everything reachable from the location until the function returns. */
unsigned pv_future_effects(const struct pv_future *f, uint32_t function, pv_loc loc,
                           uint32_t region);
/* Effects of an atomic addition to the region that nobody looks at (pv_only_adds). */
unsigned pv_future_add_effects(const struct pv_future *f, uint32_t region);
/* Effects of a primitive on its objects' regions (by name) or on PV_REGION_THREADS. */
unsigned pv_prim_effects(const char *prim_name, bool *on_threads);

#endif
