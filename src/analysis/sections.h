/* sections.h -- may an atomic section of the program wait? A closed lock disables a thread; but
 * inside of an atomic section it ends the path, under a proviso. There, releasing the lock and
 * acquiring it do not commute. */
#ifndef PV_SECTIONS_H
#define PV_SECTIONS_H

#include "ir/ir.h"

/* May a section reach a primitive that may block? Conservative. */
bool pv_sections_wait(const struct pv_program *p);

#endif
