/* inputs_internal.h -- between inputs.c, input_paths.c and input_use.c. */
#ifndef PV_INPUTS_INTERNAL_H
#define PV_INPUTS_INTERNAL_H

#include "vm/code.h"

struct pv_range {
  int64_t low, high;
}; /* both included, sign-extended */
typedef PV_VEC(struct pv_range) pv_ranges;
typedef PV_VEC(uint64_t) pv_values;

/* Values of the input of edge e (an integer of 2 to 64 bits into a variable): every one in `uses`
 * can make a difference; for the rest, one of `single` stands for each behaviour. Sound, not
 * minimal; with ranges that may overlap. */
void pv_input_paths(const struct pv_program *p, const struct pv_function *f,
                    const struct pv_edge *e, pv_ranges *uses, pv_values *single);

/* false: whatever the variable's value, nothing else is different. */
bool pv_input_is_used(const struct pv_program *p, uint32_t function, uint32_t var);

#endif
