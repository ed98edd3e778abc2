/* thread_effects.h -- what the code behind a program point may still do to the set of threads:
 * create, join, end, detach. Calls and created threads included; a call through a pointer may lead
 * to every function whose address is taken. */
#ifndef PV_THREAD_EFFECTS_H
#define PV_THREAD_EFFECTS_H

#include "ir/ir.h"

struct pv_thread_effects;
struct pv_thread_effects *pv_thread_effects_new(const struct pv_program *p); /* borrowed */
void pv_thread_effects_free(struct pv_thread_effects *t);
/* PV_EFF_* (effects.h) of what is reachable from the location until the function returns. */
unsigned pv_thread_effects_of(const struct pv_thread_effects *t, uint32_t function, pv_loc loc);

#endif
