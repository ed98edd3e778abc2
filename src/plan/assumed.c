#include "plan/assumed.h"

#include "result/result.h"
#include "sched/sched.h"

#include <string.h>

/* Does the program, or a model that it calls, contain such an edge? */
static bool has_edge(const struct pv_program *p, enum pv_op op, uint32_t aux) {
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const struct pv_function *function = &p->functions.at[f];
    for (uint32_t i = 0; i < function->edges.n; i++)
      if (function->edges.at[i].op == op && function->edges.at[i].aux == aux) return true;
  }
  return false;
}

/* Does the program call a primitive that may fail for lack of resources? */
static bool calls_resources(const struct pv_program *p) {
  for (uint32_t i = 0; i < p->prims.n; i++)
    if (p->prims.at[i].prim->exhausted && has_edge(p, PV_OP_PRIM, i)) return true;
  return false;
}

static bool calls_primitive(const struct pv_program *p, const char *name) {
  for (uint32_t i = 0; i < p->prims.n; i++)
    if (!strcmp(p->prims.at[i].prim->name, name) && has_edge(p, PV_OP_PRIM, i)) return true;
  return false;
}

uint32_t pv_assumed(const struct pv_program *p, const struct pv_options *options) {
  const pv_properties leaks =
      PV_PROP_BIT(PV_PROP_VALID_MEMTRACK) | PV_PROP_BIT(PV_PROP_VALID_MEMCLEANUP);
  bool chosen = options->property.n || options->spec.n;
  uint32_t assumed = 0;
  if (!options->malloc_may_fail && has_edge(p, PV_OP_QUERY, PV_QUERY_MALLOC_MAY_FAIL))
    assumed |= 1u << PV_ASSUMES_ALLOCATION;
  if (calls_primitive(p, "__proviso_rwlock_rdlock") &&
      calls_primitive(p, "__proviso_rwlock_wrlock"))
    assumed |= 1u << PV_ASSUMES_READERS; /* with the option it is a different primitive */
  if (!options->calls_may_fail && calls_resources(p)) assumed |= 1u << PV_ASSUMES_CALLS;
  if (!options->calls_may_fail && has_edge(p, PV_OP_QUERY, PV_QUERY_CALLS_MAY_FAIL))
    assumed |= 1u << PV_ASSUMES_WRITES;
  if (!chosen && !(options->properties & leaks) && has_edge(p, PV_OP_ALLOC, PV_STORAGE_HEAP))
    assumed |= 1u << PV_ASSUMES_LEAKS;
  return assumed;
}
