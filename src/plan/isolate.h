/* isolate.h -- runs an engine in a process of its own, so that every run ends with a condition even
 * if the engine crashes. Engines that use unsafe libraries run like this, and all engines that
 * continue from a state that was read.
 *
 * Communication. The engine runs in a forked child, which inherits the program and the task. It
 * sends checkpoints (pv_checkpoint), progress and its result through a pipe (result/serialize.h).
 * What it adds to a checkpoint (pv_task.increments) it writes itself.
 *
 * Limits. The child observes the limits of the task like any engine; the parent enforces them. At a
 * limit on time or memory, or when the parent is interrupted, the parent makes the child's
 * pv_limits_check report it, and kills the child if it has not ended shortly after. RLIMIT_AS
 * bounds the child's memory, except under the address and thread sanitizers, which reserve
 * terabytes; there only the parent watches. The child does not outlive its parent, which passes
 * SIGINT on to it. Its standard output is discarded. Its standard error is captured, except under
 * sanitizers.
 *
 * Failures. The child may die from a signal, exit, or send a truncated answer or none. Then the
 * result is the last checkpoint, with a proviso of kind CRASH, or of the limit that ended the
 * child. The proviso names the engine and what happened, with the first line that the child wrote
 * to standard error. Without a checkpoint the result is `unknown`. The parent replays all errors of
 * the checkpoint, because it cannot trust the state of a child that crashed.
 *
 * Pauses. The parent stops the process (SIGSTOP) when its slice of CPU time is used up, or the
 * process stops itself after a number of states (pv_limits_check). A paused run continues as if
 * nothing had happened; its clock does not count the pause. So every engine can be paused anywhere,
 * even within a solver query, and no search has code for it.
 *
 * One module: plan, isolate (the plan runs engines in isolation, and isolation uses the plan to
 * replay the errors of an engine that failed). */
#ifndef PV_ISOLATE_H
#define PV_ISOLATE_H

#include "engine.h"

/* An engine's run. */
struct pv_run;
/* How far a run may go before it is paused. A member that is 0 sets no bound. */
struct pv_run_slice {
  double seconds;  /* of CPU time; in wall-clock time at most four times as long */
  uint64_t states; /* since the beginning of the run, as the engine counts them for its limits */
  uint64_t memory; /* bytes of resident memory; a run that needs more ends, as at its limit */
};

/* Creates a run without starting it. The task is copied. What it points to is borrowed until
 * pv_run_close, including its limits, which apply to the whole run. */
struct pv_run *pv_run_open(const struct pv_engine *engine, const struct pv_task *task);
/* Starts or continues the run until the slice is used up (NULL: no bound). Returns whether the
 * engine has ended. A limit of the task or an interrupt ends it in any case. */
bool pv_run_continue(struct pv_run *run, const struct pv_run_slice *slice);
/* Asks a paused run to end with the result that it has, because of `why`, and continues it. Does
 * not wait. */
void pv_run_request_end(struct pv_run *run, enum pv_limit why);
/* Reads what a running engine has sent, without waiting, and kills it if it ignores a request to
 * end. Returns whether it has ended. */
bool pv_run_poll(struct pv_run *run);
/* Takes the result of a run that has ended; call it once. The caller zero-initialises *result.
 * Failures are part of the result. CPU time and peak memory are in its statistics. */
void pv_run_result(struct pv_run *run, struct pv_result *result);
/* The latest checkpoint of a run, borrowed until it continues; NULL: none came. */
const struct pv_result *pv_run_interim(const struct pv_run *run);
const struct pv_stats *pv_run_stats(const struct pv_run *run); /* the last reported */
uint64_t pv_run_memory(const struct pv_run *run); /* resident bytes; 0: it is not running */
double pv_run_seconds(const struct pv_run *run);  /* of CPU time so far; 0: it is not running */
/* Ends the run if it has not ended, and adds its CPU time to the task's limits. NULL is fine. */
void pv_run_close(struct pv_run *run);

/* Runs engine->run for the task without pauses. Always returns PV_OK. */
enum pv_status pv_isolate(const struct pv_engine *engine, const struct pv_task *task,
                          struct pv_result *result);

#endif
