/* plan.h -- chooses the engines to run and checks their results. With `auto` several engines take
 * turns until one of them has an unconditional verdict (auto.c). Every result is checked before it
 * is returned: see pv_plan_run. */
#ifndef PV_PLAN_H
#define PV_PLAN_H

#include "engine.h"

/* Checks the files that the options name for engines. PV_E_INPUT if one of them is wrong; *message
 * then says why. Call it before pv_plan_run. */
enum pv_status pv_plan_check(const struct pv_task *task, struct pv_str *message);

/* Runs the engine that the options name, or several for `auto`. *engine becomes the name of the
 * engine that the result comes from. Every result must satisfy these rules: `true` has no provisos
 * and covers every property asked for; `false` has a violation that was replayed. A result that
 * breaks a rule is weakened. */
enum pv_status pv_plan_run(const struct pv_task *task, struct pv_result *result,
                           const char **engine);

/* Does the engine of this name analyse abstract states? Such an engine does not tell listeners the
 * errors that it finds. */
bool pv_plan_is_abstract(const char *engine);

/* Combines a result of an engine, final or not, with the condition that the task gave it: an
 * execution is open if both leave it open, and their assumptions add up. */
void pv_plan_sequence(const struct pv_task *task, struct pv_result *r);

/* Replays a recorded path: its choices with its inputs. *out becomes the violation at its end, or
 * zero if there is none. If there are several, it is the wanted one. */
enum pv_status pv_plan_replay(const struct pv_task *task, const struct pv_error_path *path,
                              const struct pv_error_key *wanted, struct pv_violation *out);

/* As pv_replay, pv_minimise and pv_replay_inputs (explore/replay.h, explore/minimise.h). */
enum pv_status pv_plan_replay_choices(const struct pv_task *task, const struct pv_choice *choices,
                                      uint32_t n, const struct pv_error_key *wanted,
                                      struct pv_violation *out);
void pv_plan_minimise(const struct pv_task *task, struct pv_result *result);
enum pv_status pv_plan_replay_inputs(const struct pv_task *task, const struct pv_input *inputs,
                                     uint32_t n, const struct pv_schedule *schedule,
                                     const struct pv_error_key *wanted, struct pv_violation *out);
/* As pv_replay_sliced (explore/replay.h). */
enum pv_status pv_plan_replay_sliced(const struct pv_task *task,
                                     const struct pv_violation *of_slice, struct pv_violation *out);

#endif
