/* moves.h -- what every thread can do next in the state at hand.
 *
 * What a thread is parked at is decided by its top frame alone, and the store knows each distinct
 * frame by a number: it is found out once a frame (by a peek of the machine) and looked up from
 * then on. Only in how many ways it can be done now is asked of the scheduler in every state. */
#ifndef PV_MOVES_H
#define PV_MOVES_H

#include "explore/space.h"

/* A set of threads. */
typedef uint64_t pv_threads;
_Static_assert(PV_MAX_THREADS <= 64, "a set of threads is one word");
#define PV_THREAD_BIT(T) (UINT64_C(1) << (T))
#define PV_NO_THREAD     UINT32_MAX
/* for each thread T of the set S, rising */
#define PV_FOR_THREADS(T, S)                                                                       \
  for (pv_threads set_##T = (S); set_##T; set_##T &= set_##T - 1)                                  \
    for (unsigned T = (unsigned)__builtin_ctzll(set_##T), once_##T = 1; once_##T; once_##T = 0)

struct pv_moves {
  unsigned n;         /* thread slots */
  pv_threads alive;   /* that have something before them */
  pv_threads able;    /* that have a way; inside an atomic section only its thread */
  pv_threads lively;  /* of them, those with a way that is more than a spurious wake-up */
  unsigned exclusive; /* the thread inside an atomic section, or PV_NO_THREAD */
  const struct pv_pending *next[PV_MAX_THREADS]; /* of the threads alive; `ways` is not kept */
  uint16_t ways[PV_MAX_THREADS], progress[PV_MAX_THREADS];
};

/* The moves of a machine without a store; what the threads are parked at is written to `next`. */
void pv_moves_peek(struct pv_vm *vm, struct pv_pending next[PV_MAX_THREADS], struct pv_moves *out);

/* Tells `found` of every error that the state at hand shows without anybody moving: invariants,
 * races, deadlock, as far as they are asked for. The event is good until `found` returns. */
void pv_state_errors(struct pv_vm *vm, const struct pv_task *task, const struct pv_moves *moves,
                     void (*found)(void *user, const struct pv_event *event), void *user);
/* The same of the state at hand, for which the machine is loaded only if it may show something. */
void pv_space_errors(struct pv_space *s, const struct pv_task *task, const struct pv_moves *moves,
                     void (*found)(void *user, const struct pv_event *event), void *user);

struct pv_moves_cache;
struct pv_moves_cache *pv_moves_cache_new(struct pv_space *space); /* borrowed */
void pv_moves_cache_free(struct pv_moves_cache *c);
/* Bytes that the next few look-ups will take at once; 0: none. */
uint64_t pv_moves_growth(const struct pv_moves_cache *c);
/* What one thread, which has a frame, is parked at in the state at hand, and in how many ways it
 * can go on. */
const struct pv_pending *pv_moves_next(struct pv_moves_cache *c, unsigned thread);
unsigned pv_moves_ways(struct pv_moves_cache *c, unsigned thread, unsigned *progress);
/* The moves of the state at hand, which was saved or loaded last. The pending operations belong to
 * the cache and stay. */
void pv_moves_find(struct pv_moves_cache *c, struct pv_moves *out);

#endif
