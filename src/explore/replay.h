/* replay.h -- runs what was recorded of a path again in a fresh machine and tells what happens,
 * step by step.
 *
 * A path is decided by its *choices* (which thread moved, in which of its alternatives) and by its
 * *inputs* (the values that edges HAVOC and INDET gave, vm.h). Where there are no values the
 * alternatives say which of the values that the machine found for an input it gave; an engine that
 * finds values of its own gives them. */
#ifndef PV_REPLAY_H
#define PV_REPLAY_H

#include "engine.h"

/* Replays `choices` of the task's program. If they lead to an error of an asked property, *out
 * (zero-initialised by the caller, who frees it with pv_violation_clear) is that error with its
 * steps and replayed = true; otherwise out->replayed is false, and the steps show how far it came;
 * if a limit was in the way it is the task's limits that were hit.
 * Where the path shows several errors, it is the wanted one (NULL: the first); the caller looks
 * whether it was among them. out->path.inputs are the values that inputs gave, none if they were
 * more than PV_INPUTS_KEPT: the choices tell them. */
enum { PV_INPUTS_KEPT = 20000 };
enum pv_status pv_replay(const struct pv_task *task, const struct pv_choice *choices, uint32_t n,
                         const struct pv_error_key *wanted, struct pv_violation *out);

/* The same for a path with inputs, of which its `choices`, `inputs` and `sources` are looked at. A
 * value that an input cannot have ends the replay; behind the last one given, the alternatives
 * decide. All inputs are in out->path.inputs. */
enum pv_status pv_replay_path(const struct pv_task *task, const struct pv_error_path *path,
                              const struct pv_error_key *wanted, struct pv_violation *out);

/* Runs the program with the first inputs giving `inputs` (borrowed; of them `value` and, unless 0,
 * `site` are looked at) and the ones behind them the value nearest to 0 that they can have, until
 * it shows the wanted error (NULL: any of an asked property) or ends. Threads move as the schedule
 * says, as far as it goes: of all threads the one that stands before what comes first in it.
 * Without one (NULL) a thread goes on as long as it can, within reason. Whatever else is to be
 * chosen is way 0; so what happens is decided by the inputs where there is one thread. Gives up
 * where the task's limits say so, or when nothing is found in `task->limits->depth` transitions or
 * in a hundred million instructions behind the last input given.
 *
 * If an error was found, *out is as after pv_replay_path of the path that was run, which it holds:
 * the wanted error, or another one that ended the path before. Otherwise out->replayed is false and
 * out->message says why, without a path. */
enum pv_status pv_replay_inputs(const struct pv_task *task, const struct pv_input *inputs,
                                uint32_t n, const struct pv_schedule *schedule,
                                const struct pv_error_key *wanted, struct pv_violation *out);

#endif
