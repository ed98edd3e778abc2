/* sections.h -- do atomic sections of the program wait? A lock that is closed blocks a thread, but
 * cuts the path (under a proviso) inside a section: there it is not the case that who opens it and
 * who takes it can be done in either order. */
#ifndef PV_SECTIONS_H
#define PV_SECTIONS_H

#include "ir/ir.h"

/* May a section come to a primitive that may block? Conservative. */
bool pv_sections_wait(const struct pv_program *p);

#endif
