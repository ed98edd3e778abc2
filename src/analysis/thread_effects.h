/* thread_effects.h -- what the code after a location may still do to the set of threads: create,
 * join, end, detach, name one by its number. Callees and created threads are included. An indirect
 * call may lead to every function whose address is taken. */
#ifndef PV_THREAD_EFFECTS_H
#define PV_THREAD_EFFECTS_H

#include "ir/ir.h"

struct pv_thread_effects;
struct pv_thread_effects *pv_thread_effects_new(const struct pv_program *p); /* borrowed */
void pv_thread_effects_free(struct pv_thread_effects *t);
/* The PV_EFF_* (effects.h) of everything reachable from the location up to the function's return.
 */
unsigned pv_thread_effects_of(const struct pv_thread_effects *t, uint32_t function, pv_loc loc);

#endif
