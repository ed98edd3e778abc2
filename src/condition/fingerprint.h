/* fingerprint.h -- hashes that tell whether a program, or a part of it, is the one that a condition
 * is about. */
#ifndef PV_FINGERPRINT_H
#define PV_FINGERPRINT_H

#include "ir/ir.h"

/* Identifies the program as engines see it: every edge, expression, global and place in the source,
 * with all numbers. Conditions refer to functions and edges by number, so a program with another
 * hash needs them translated. */
uint64_t pv_program_hash(const struct pv_program *p);

/* Identifies what a function does: its edges in order, with names instead of numbers, and without
 * places in the source. Functions that it calls count by name. */
uint64_t pv_function_fingerprint(const struct pv_program *p, uint32_t function);
/* Identifies the globals, by name and initial value. */
uint64_t pv_globals_fingerprint(const struct pv_program *p);

#endif
