#include "engine.h"
#include "explore/minimise.h"
#include "explore/replay.h"
#include "plan/plan.h"

/* The one file that names the engines. */
extern const struct pv_engine pv_engine_explicit;
extern const struct pv_engine pv_engine_dpor;
extern const struct pv_engine pv_engine_predicate;
extern const struct pv_engine pv_engine_value;
extern const struct pv_engine pv_engine_composite;
extern const struct pv_engine pv_engine_bmc;
extern const struct pv_engine pv_engine_kinduction;
extern const struct pv_engine pv_engine_esst;

const struct pv_engine *const pv_engines[] = {
    &pv_engine_explicit,   &pv_engine_dpor,      &pv_engine_value,
    &pv_engine_predicate,  &pv_engine_composite, &pv_engine_bmc,
    &pv_engine_kinduction, &pv_engine_esst,      NULL};

enum pv_status pv_plan_replay(const struct pv_task *task, const struct pv_error_path *path,
                              const struct pv_error_key *wanted, struct pv_violation *out) {
  return pv_replay_path(task, path, wanted, out);
}

enum pv_status pv_plan_replay_choices(const struct pv_task *task, const struct pv_choice *choices,
                                      uint32_t n, const struct pv_error_key *wanted,
                                      struct pv_violation *out) {
  return pv_replay(task, choices, n, wanted, out);
}

void pv_plan_minimise(const struct pv_task *task, struct pv_result *result) {
  pv_minimise(task, result);
}

enum pv_status pv_plan_replay_inputs(const struct pv_task *task, const struct pv_input *inputs,
                                     uint32_t n, const struct pv_schedule *schedule,
                                     const struct pv_error_key *wanted, struct pv_violation *out) {
  return pv_replay_inputs(task, inputs, n, schedule, wanted, out);
}

enum pv_status pv_plan_replay_sliced(const struct pv_task *task,
                                     const struct pv_violation *of_slice,
                                     struct pv_violation *out) {
  return pv_replay_sliced(task, of_slice, out);
}
