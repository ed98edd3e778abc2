/* moves.h -- the enabled transitions of the current state, and the errors that it shows. */
#ifndef PV_VM_MOVES_H
#define PV_VM_MOVES_H

#include "vm/vm.h"

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
  pv_threads alive;   /* neither ended nor at the end of their path */
  pv_threads able;    /* enabled; while a thread is in an atomic section, no other */
  pv_threads lively;  /* of those, the ones with an alternative other than a spurious wake-up */
  unsigned exclusive; /* the thread inside an atomic section, or PV_NO_THREAD */
  const struct pv_pending *next[PV_MAX_THREADS]; /* of the live threads; `alternatives` is unset */
  uint16_t alternatives[PV_MAX_THREADS], progress[PV_MAX_THREADS];
};

/* Computes the moves of the current state. `next` receives the pending operations. */
void pv_moves_peek(struct pv_vm *vm, struct pv_pending next[PV_MAX_THREADS], struct pv_moves *out);

/* The properties that states violate, as opposed to transitions. */
#define PV_STATE_PROPERTIES                                                                        \
  (PV_PROP_BIT(PV_PROP_INVARIANT) | PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION) |                        \
   PV_PROP_BIT(PV_PROP_NO_DATA_RACE) | PV_PROP_BIT(PV_PROP_NO_DEADLOCK))

/* Calls `found` for every violation of these properties in the current state, as far as the task
 * asks for them. The event is valid until `found` returns. */
void pv_state_errors(struct pv_vm *vm, const struct pv_task *task, const struct pv_moves *moves,
                     void (*found)(void *user, const struct pv_event *event), void *user);
/* Calls f for each pair of threads that are parked at conflicting accesses, until it returns true,
 * which is returned then. */
bool pv_moves_conflict(const struct pv_moves *m, bool (*f)(void *user, unsigned a, unsigned b),
                       void *user);
/* Is no thread enabled, spurious wake-ups aside? */
bool pv_moves_stuck(const struct pv_vm *vm, const struct pv_moves *m);

#endif
