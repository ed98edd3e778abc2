/* liveness.h -- live variables: which variables are read before they are written, from a location
 * on. The classic backward data-flow analysis on bit sets. */
#ifndef PV_LIVENESS_H
#define PV_LIVENESS_H

#include "ir/ir.h"

/* One set for each location, of *words 64-bit words each; bit = variable. The caller frees it. */
uint64_t *pv_liveness(const struct pv_program *p, const struct pv_function *f, uint32_t *words);
static inline bool pv_is_live(const uint64_t *live, uint32_t words, pv_loc loc, uint32_t var) {
  return live[(size_t)loc * words + var / 64] >> var % 64 & 1;
}

#endif
