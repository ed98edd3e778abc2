/* engine_predicate.h -- engine `composite` as a part of other engines. */
#ifndef PV_ENGINE_PREDICATE_H
#define PV_ENGINE_PREDICATE_H

#include "cpa/context.h"
#include "cpa/predicate.h"

struct pv_composite_parts {
  struct pv_analysis_context *context;
  struct pv_predicates *predicates;
  const struct pv_analysis *const *at;
  uint32_t n;     /* parts so far: the number of the analysis that `prepare` returns */
  uint32_t part;  /* the number of the predicates */
  bool is_closed; /* only values and predicates: nothing depends on the order of steps on a path */
};
struct pv_composite_setup {
  void *user;
  /* Called after the analyses were made, before the first state. Returns one more analysis for the
   * composition, or NULL. */
  const struct pv_analysis *(*prepare)(void *user, const struct pv_composite_parts *parts);
  /* Called when everything was explored and no error found, before there is a verdict. It may add
   * violations and provisos. */
  void (*examine)(void *user, const struct pv_cpa *cpa, struct pv_result *result);
  /* Called before the context is freed, with a result that is otherwise complete. */
  void (*finish)(void *user, struct pv_result *result);
  /* A bound on the different values of a cell that decides between calls of the scheduler, before
   * it is left to predicates; 0: the usual one, as for other cells. */
  uint32_t handles;
};
/* As pv_engine.run. */
enum pv_status pv_composite_run(const struct pv_task *task, struct pv_result *result,
                                const struct pv_composite_setup *setup);

#endif
