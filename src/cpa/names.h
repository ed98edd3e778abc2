/* names.h -- cells and addresses in source terms, for people. Names of another function than the
 * one that is looked at, and of inner instances of a recursive one, are qualified: `f::x`,
 * `f::x#1`. */
#ifndef PV_NAMES_H
#define PV_NAMES_H

#include "cpa/context.h"

/* "x", "s.y", "a[2]", "f::x", "alive(x)", "t3"; appended. */
void pv_name_cell(const struct pv_analysis_context *g, uint32_t function, uint32_t cell,
                  struct pv_str *out);
/* Has the cell a name that is in the source? If not, what it is: "a temporary value of x.c:12",
 * appended. */
bool pv_name_is_source(const struct pv_analysis_context *g, uint32_t cell, struct pv_str *what);
/* Is the source type of an integer signed? False: it is not known. */
bool pv_name_is_signed(const struct pv_analysis_context *g, uint32_t cell, bool *is_signed);

/* The object that lies around the address, and where in it; false: none that has a name. */
bool pv_name_object(const struct pv_analysis_context *g, uint64_t address,
                    struct pv_sym_object *object, uint64_t *offset);
/* Its name, without a place in it; appended. */
void pv_name_place(const struct pv_analysis_context *g, uint32_t function,
                   struct pv_sym_object object, struct pv_str *out);
/* "NULL", "&x", "&a[2]", "f" for a function; false: no object that has a name. Appended. */
bool pv_name_address(const struct pv_analysis_context *g, uint32_t function, uint64_t address,
                     struct pv_str *out);

#endif
