/* unset.h -- where indeterminate values may be, by a flow-insensitive analysis of the whole
 * program. The symbolic analyses follow indeterminate values (symbolic_unset.c) only there; so
 * programs without memory pay nothing for it.
 *
 * Sources are INDET edges, and objects that begin indeterminate: of the heap, and on the stack
 * unless every path sets the whole object before it does anything else with it. Loads, stores,
 * copies, assignments, calls and returns pass indeterminate values on. */
#ifndef PV_UNSET_H
#define PV_UNSET_H

#include "cpa/layout.h"

struct pv_unset;
/* Borrows everything. */
struct pv_unset *pv_unset_new(const struct pv_program *p, const struct pv_points_to *pt,
                              struct pv_layout *layout);
void pv_unset_free(struct pv_unset *u); /* NULL is fine */
/* May the variable, the memory of the place (pv_layout_place) be indeterminate? */
bool pv_unset_variable(const struct pv_unset *u, uint32_t function, uint32_t var);
bool pv_unset_place(const struct pv_unset *u, uint32_t place);
bool pv_unset_class(const struct pv_unset *u, uint32_t class); /* some place of the class */
/* May the value of the expression be? */
bool pv_unset_expression(const struct pv_unset *u, uint32_t function, pv_expr e);

#endif
