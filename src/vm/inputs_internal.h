/* inputs_internal.h -- declarations that inputs.c, input_paths.c and input_use.c share. */
#ifndef PV_INPUTS_INTERNAL_H
#define PV_INPUTS_INTERNAL_H

#include "vm/code.h"

struct pv_range {
  int64_t low, high;
}; /* both bounds included, sign-extended */
typedef PV_VEC(struct pv_range) pv_ranges;
typedef PV_VEC(uint64_t) pv_values;

/* Representative values of the input of edge e (an integer of 2 to 64 bits, assigned to a
 * variable). Each value in `uses` may make a difference. Of all other values, one of `single`
 * represents each behaviour. Sound, but not minimal; ranges may overlap. */
void pv_input_paths(const struct pv_program *p, const struct pv_function *f,
                    const struct pv_edge *e, pv_ranges *uses, pv_values *single);

/* Returns false if nothing else depends on the variable's value. */
bool pv_input_is_used(const struct pv_program *p, uint32_t function, uint32_t var);

#endif
