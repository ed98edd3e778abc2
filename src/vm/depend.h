/* depend.h -- may two threads' next operations be done in either order?
 *
 * The valid dependence relation of the state at hand (Godefroid, LNCS 1032, def. 3.1, conditional
 * as in ch. 3.3): two pending operations of different threads are independent if neither disables
 * the other and both orders lead to states with the same futures. A transition is the operation and
 * what follows it up to the thread's next visible operation; what follows touches only the thread's
 * own memory, with one exception: it may end the life of an object that others point to. Whoever
 * touches that object later makes an error (or, where it is not asked for, a proviso) in the order
 * that is explored, so no `true` rests on it. */
#ifndef PV_DEPEND_H
#define PV_DEPEND_H

#include "vm/vm.h"

/* Symmetric; false is always sound. Both possible now. */
bool pv_independent(const struct pv_vm *vm, const struct pv_sched *sched,
                    const struct pv_pending *a, const struct pv_pending *b);

/* Does one of two primitives end a thread, and with it the other one's object, or the place that it
 * writes to? */
bool pv_goes_with_thread(const struct pv_vm *vm, const struct pv_sched *sched,
                         const struct pv_prim_call *a, const struct pv_prim_call *b);

#endif
