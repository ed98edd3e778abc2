/* exclude.h -- partial verification: parts of a program that the user does not want to be examined.
 *
 * Reference: Beyer, Henzinger, Keremoglu, Wendler, "Conditional model checking", FSE 2012, section
 * 2 (partial verification). */
#ifndef PV_EXCLUDE_H
#define PV_EXCLUDE_H

#include "ir/ir.h"

/* Ends every path at the call of a function that `name` names, or that is defined in the file that
 * it names: with a proviso, an assumption that no engine examines. PV_E_INPUT, with a message in
 * *err, if nothing has this name or if it is the function that the program starts with. */
enum pv_status pv_exclude(struct pv_program *p, const char *name, const char *start,
                          struct pv_str *err);

#endif
