#include "plan/states.h"

#include "plan/plan_internal.h"

static const double seconds = 1; /* of a search */
enum {
  NO_REDUCTION = 0,   /* of option por */
  MOST_UNREDUCED = 60 /* more are hard to read */
};

static bool search(const struct pv_task *task, bool reduced, struct pv_state_graph *out) {
  struct pv_options options = pv_plan_exact_search(task, PV_SEARCH_DFS);
  uint64_t most = reduced ? PV_STATE_GRAPH_MOST : MOST_UNREDUCED;
  struct pv_limits limits = {.seconds = seconds, .memory = task->limits->memory, .states = most};
  struct pv_listeners listeners = {0};
  const proviso_listener recorder = pv_state_graph_listener(out);
  struct pv_task own = {.program = task->program,
                        .options = &options,
                        .limits = &limits,
                        .properties = task->properties,
                        .listeners = &listeners};
  struct pv_result r = {0};
  options.minimise = false;
  if (!reduced) options.por = NO_REDUCTION;
  pv_listeners_add(&listeners, &recorder);
  pv_limits_start(&limits);
  enum pv_status status = pv_plan_run_engine(&own, pv_plan_engine("explicit"), &r);
  out->is_reduced = reduced;
  out->is_complete =
      status == PV_OK && limits.hit == PV_LIMIT_NONE && out->states > 1 && out->states < most;
  pv_result_clear(&r);
  pv_listeners_free(&listeners);
  return out->is_complete;
}

bool pv_plan_states(const struct pv_task *task, struct pv_state_graph *out) {
  if (search(task, false, out)) return true;
  pv_state_graph_clear(out);
  return task->options->por != NO_REDUCTION && search(task, true, out);
}
