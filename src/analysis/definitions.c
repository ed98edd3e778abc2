#include "analysis/definitions.h"

#include <stdlib.h>

uint32_t *pv_definitions_new(const struct pv_program *p, const struct pv_function *f) {
  uint32_t *edge = pv_alloc((f->vars.n + (size_t)1) * sizeof *edge);
  uint8_t *times = pv_alloc(f->vars.n + (size_t)1);
  for (uint32_t i = 0; i < f->vars.n; i++) edge[i] = PV_DEFINED_OFTEN;
  /* The area of variable arguments is a parameter, too. */
  for (uint32_t i = 0; i < f->n_params + f->variadic && i < f->vars.n; i++) {
    edge[i] = PV_DEFINED_BY_CALL;
    times[i] = 1;
  }
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    for (uint32_t k = 0; k < 2 + e->dsts.n; k++) {
      uint32_t var = k == 0 ? e->dst : k == 1 ? e->dst2 : pv_arg(p, e->dsts, k - 2);
      if (var == PV_NO_VAR) continue;
      edge[var] = times[var] ? PV_DEFINED_OFTEN : i;
      times[var] = 1;
    }
  }
  free(times);
  return edge;
}
