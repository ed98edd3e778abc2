/* definition.h -- task definitions of SV-COMP (.yml): a program and the verdict that is expected of
 * it. Only unreach-call is looked at. */
#ifndef PV_DEFINITION_H
#define PV_DEFINITION_H

#include "base/base.h"

enum pv_expected { PV_EXPECTED_UNKNOWN, PV_EXPECTED_TRUE, PV_EXPECTED_FALSE };
#define PV_DEFINITION_PROPERTY "unreach-call.prp" /* the property file that a definition names */

/* The verdict that the task definition in a text expects. UNKNOWN if it names none. */
enum pv_expected pv_definition_expected(const char *text);
/* Appends the definition of a task: the program in this file (of one directory with the definition
 * and the property file), for pointers of this width. */
void pv_definition_print(const char *file, enum pv_expected expected, unsigned pointer_bits,
                         struct pv_str *out);
extern const char *const pv_definition_property; /* the content of the property file */

#endif
