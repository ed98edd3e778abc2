/* plan.h -- which engine runs. `auto` looks at the program and chooses: programs with threads go to
 * the explicit engine, others to several engines in turn until one has a verdict without condition.
 * The plan also guards what engines return: see pv_plan_run. */
#ifndef PV_PLAN_H
#define PV_PLAN_H

#include "engine.h"

/* Looks at the files that the options name for engines: PV_E_INPUT, with a message, if one of them
 * is wrong. To be called before pv_plan_run. */
enum pv_status pv_plan_check(const struct pv_task *task, struct pv_str *message);

/* Runs the engine that the options name; *engine is told its name. What comes back is checked
 * against the rules every result must keep: `true` has no provisos and covers every property asked,
 * `false` has a replayed violation. A result that breaks them is weakened, never passed on. */
enum pv_status pv_plan_run(const struct pv_task *task, struct pv_result *result,
                           const char **engine);

/* Runs a recorded path again: its choices, with its inputs; *out is the violation it ends in, zero
 * if it ends in none. Of several it is the wanted one. */
enum pv_status pv_plan_replay(const struct pv_task *task, const struct pv_error_path *path,
                              const struct pv_error_key *wanted, struct pv_violation *out);

/* Runs the program with these inputs (explore/replay.h: pv_replay_inputs). */
enum pv_status pv_plan_replay_choices(const struct pv_task *task, const struct pv_choice *choices,
                                      uint32_t n, const struct pv_error_key *wanted,
                                      struct pv_violation *out);
void pv_plan_minimise(const struct pv_task *task, struct pv_result *result);
enum pv_status pv_plan_replay_inputs(const struct pv_task *task, const struct pv_input *inputs,
                                     uint32_t n, const struct pv_schedule *schedule,
                                     const struct pv_error_key *wanted, struct pv_violation *out);

#endif
