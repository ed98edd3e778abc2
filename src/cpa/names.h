/* names.h -- names of cells and addresses in source terms. Names from other functions than the
 * given one, and from inner instances of a recursive function, are qualified: `f::x`, `f::x#1`. */
#ifndef PV_NAMES_H
#define PV_NAMES_H

#include "cpa/context.h"

/* "x", "s.y", "a[2]", "f::x", "alive(x)", "t3"; appended. */
void pv_name_cell(const struct pv_analysis_context *g, uint32_t function, uint32_t cell,
                  struct pv_str *out);
/* Does the cell have a name in the source? If not, appends a description: "a temporary value of
 * x.c:12". */
bool pv_name_is_source(const struct pv_analysis_context *g, uint32_t cell, struct pv_str *what);
/* Sets *is_signed to the signedness of the cell's source type; false if that is unknown. */
bool pv_name_is_signed(const struct pv_analysis_context *g, uint32_t cell, bool *is_signed);

/* Finds the named object that contains the address, and the offset in it; false if there is none.
 */
bool pv_name_object(const struct pv_analysis_context *g, uint64_t address,
                    struct pv_sym_object *object, uint64_t *offset);
/* Appends the name of the object. */
void pv_name_place(const struct pv_analysis_context *g, uint32_t function,
                   struct pv_sym_object object, struct pv_str *out);
/* Appends "NULL", "&x", "&a[2]", or "f" for a function; false if no named object contains the
 * address. */
bool pv_name_address(const struct pv_analysis_context *g, uint32_t function, uint64_t address,
                     struct pv_str *out);

#endif
