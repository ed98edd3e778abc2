/* replay.h -- runs recorded choices again in a fresh machine and tells what happens, step by step.
 */
#ifndef PV_REPLAY_H
#define PV_REPLAY_H

#include "engine.h"

/* Replays `choices` of the task's program. If they lead to an error of an asked property, *out
 * (zero-initialised by the caller, who frees it with pv_violation_clear) is that error with its
 * steps and replayed = true; otherwise out->replayed is false, and the steps show how far it came.
 * Where the path shows several errors, it is the wanted one (NULL: the first); the caller looks
 * whether it was among them. */
enum pv_status pv_replay(const struct pv_task *task, const struct pv_choice *choices, uint32_t n,
                         const struct pv_error_key *wanted, struct pv_violation *out);

#endif
