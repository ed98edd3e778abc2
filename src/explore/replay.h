/* replay.h -- replays a recorded path in a fresh machine and reports what happens, step by step.
 *
 * A path is determined by its choices (which thread moved, with which alternative) and its inputs
 * (the values given at edges HAVOC and INDET, vm.h). Without recorded inputs, the alternatives
 * select among the values that the machine itself proposes. Engines that find other values record
 * them. */
#ifndef PV_REPLAY_H
#define PV_REPLAY_H

#include "engine.h"

/* Replays choices of the task's program. *out is zero-initialised by the caller, who frees it with
 * pv_violation_clear. If the path leads to an error of a property asked for, *out is that error
 * with its steps, and out->replayed is true. Otherwise out->replayed is false, and the steps show
 * how far the replay came; a limit is noted in the task's limits. If there are several errors, *out
 * is the wanted one (NULL: the first); the caller must check whether it was found. out->path.inputs
 * receives the values of inputs, unless there are more than PV_INPUTS_KEPT; then the choices
 * suffice. */
enum { PV_INPUTS_KEPT = 20000 };
enum pv_status pv_replay(const struct pv_task *task, const struct pv_choice *choices, uint32_t n,
                         const struct pv_error_key *wanted, struct pv_violation *out);

/* The same for a path with inputs; uses path->choices, inputs and sources. A value that an input
 * cannot have ends the replay. After the last given input the alternatives decide. out->path.inputs
 * receives all inputs. */
enum pv_status pv_replay_path(const struct pv_task *task, const struct pv_error_path *path,
                              const struct pv_error_key *wanted, struct pv_violation *out);

/* Runs the program with given inputs until it shows the wanted error (NULL: any error of a property
 * asked for) or ends. inputs: borrowed; `value` and, unless 0, `site` are used. Later inputs take
 * the possible value nearest to 0. schedule: the next thread is the one whose pending operation
 * comes first in it; after its end, or without one (NULL), a thread continues as long as it can,
 * within reason. All other choices take alternative 0; so with a single thread the inputs determine
 * the run. Gives up at a limit, after task->limits->depth transitions, or a hundred million
 * instructions after the last given input.
 *
 * If an error was found, *out is as after pv_replay_path and contains the path: it is the wanted
 * error, or another one that ended the path earlier. Otherwise out->replayed is false, and
 * out->message says why. */
enum pv_status pv_replay_inputs(const struct pv_task *task, const struct pv_input *inputs,
                                uint32_t n, const struct pv_schedule *schedule,
                                const struct pv_error_key *wanted, struct pv_violation *out);

/* Runs a sequential program with the inputs of an error of its slice (analysis/slice_program.h).
 * Inputs that are not part of the slice get the possible value nearest to 0. *out as above. */
enum pv_status pv_replay_sliced(const struct pv_task *task, const struct pv_violation *of_slice,
                                struct pv_violation *out);

#endif
