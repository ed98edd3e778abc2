/* events.h -- tells listeners what a transition does to memory, locks and threads. */
#ifndef PV_VM_EVENTS_H
#define PV_VM_EVENTS_H

#include "base/events.h"
#include "vm/vm.h"

/* How the transition is executed: pv_vm_step, or a search's own way to it. */
typedef enum pv_outcome (*pv_execute)(void *user, unsigned thread, unsigned alternative);
struct pv_teller {
  const struct pv_program *program;
  const struct pv_sched *sched;
  struct pv_vm *vm; /* in the current state */
  const struct pv_listeners *to;
  pv_execute execute;
  void *user;
};
/* Executes the pending operation in this one of its alternatives, and tells everything from STEP to
 * FORGET. The machine must execute the transition: caches must be off. */
enum pv_outcome pv_tell_step(const struct pv_teller *t, const struct pv_pending *p,
                             unsigned alternative, unsigned alternatives);
/* The transition led to no state. */
void pv_tell_end(const struct pv_listeners *to, unsigned thread, uint64_t from,
                 enum pv_outcome outcome);
void pv_tell_error(const struct pv_listeners *to, const struct pv_program *p,
                   const struct pv_event *e);

#endif
