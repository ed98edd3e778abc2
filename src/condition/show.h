/* show.h -- conditions for people: as text, and as graphs for Graphviz. */
#ifndef PV_CONDITION_SHOW_H
#define PV_CONDITION_SHOW_H

#include "condition/file.h"

/* Appends what the condition is about, its provisos, and form and size of its open parts. With the
 * program (else NULL) also a formula for each location: if all of them hold whenever an execution
 * is there, it never comes to `open`. */
void pv_condition_show(const struct pv_condition_file *file, const struct pv_program *program,
                       struct pv_str *out);
/* Appends the automaton or the tree of prefixes of an open part in the language DOT. The program
 * tells the texts of edges; NULL: they are numbers. PV_E_INPUT: there is no such part. */
enum pv_status pv_condition_dot(const struct pv_condition *c, const struct pv_program *p,
                                struct pv_str *out, struct pv_str *err);

#endif
