/* depend.h -- are the next operations of two threads independent?
 *
 * A valid conditional dependence relation (Godefroid, LNCS 1032, def. 3.1 and ch. 3.3): two pending
 * operations of different threads are independent in the current state if neither disables the
 * other and both orders lead to equivalent states. A transition is the visible operation and
 * everything up to the thread's next visible operation. The latter part accesses only the thread's
 * own memory, with one exception: it may end the lifetime of an object that others point to. A
 * later access of that object is an error in the order that is explored, or a proviso if that is
 * not asked for. So no verdict `true` depends on the exception. */
#ifndef PV_DEPEND_H
#define PV_DEPEND_H

#include "vm/vm.h"

/* Symmetric. `false` is always sound. Both operations must be enabled. */
bool pv_independent(const struct pv_vm *vm, const struct pv_sched *sched,
                    const struct pv_pending *a, const struct pv_pending *b);

/* Does one of the two primitives end a thread, and with it the object of the other one, or the
 * memory that the other one writes? */
bool pv_goes_with_thread(const struct pv_vm *vm, const struct pv_sched *sched,
                         const struct pv_prim_call *a, const struct pv_prim_call *b);

#endif
