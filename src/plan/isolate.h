/* isolate.h -- an engine in a process of its own: whatever happens to it, the run ends in a
 * condition.
 *
 * The engine runs in a forked child, which has the program and all else of the task as they are,
 * and sends what it finds through a pipe (result/serialize.h): its interim results (pv_checkpoint),
 * its progress, its result. It sees the limits of the task as any engine does. The parent sees to
 * it that they are kept: at a limit on time or memory, or when it is interrupted itself, it makes
 * the child's pv_limits_check say so, and kills it if it has not ended a little later. The child
 * cannot get much more memory than the limit allows (RLIMIT_AS; not under address or thread
 * sanitizers, which reserve terabytes: there the parent alone watches). It does not outlive its
 * parent; a SIGINT from the terminal reaches it through its parent. Its standard output is nowhere.
 * What it or a library writes to standard error is kept from the terminal (not under sanitizers).
 *
 * If the child does not end in order (a signal, an exit, an answer that is torn or no answer), the
 * result is the last checkpoint, with a proviso of kind CRASH, or of the limit that ended it, that
 * names the engine and what happened, with the first line that it wrote to standard error; without
 * a checkpoint it is `unknown`. Errors of a checkpoint are replayed again here: who knows in what
 * state the child was.
 *
 * A run can be paused. The parent stops the process (SIGSTOP) when a slice of its CPU time is over,
 * or the process stops itself with so many states (pv_limits_check); later it goes on as if nothing
 * had happened: its clock does not count the pause. So any engine can be paused anywhere, in the
 * midst of a question to the solver, too, and no search has to know of it.
 *
 * One module: plan, isolate (the plan runs engines in isolation, and the errors of one that
 * failed are replayed by the plan). */
#ifndef PV_ISOLATE_H
#define PV_ISOLATE_H

#include "engine.h"

/* An engine's run. */
struct pv_run;
/* How far a run may go before it is paused. 0: not bounded by this. */
struct pv_slice {
  double seconds;  /* of CPU time; on a busy machine at most four times as long */
  uint64_t states; /* as the engine counts them for its limits, since its beginning */
  uint64_t memory; /* bytes of resident memory: beyond them the run ends, as at its limit */
};

/* Nothing runs yet. The task is copied; what it points to is borrowed until pv_run_close, its
 * limits among it: they are those of the whole run. */
struct pv_run *pv_run_open(const struct pv_engine *engine, const struct pv_task *task);
/* Begins the run, or goes on with it, until the slice is over (NULL: without end). true: the engine
 * has ended. A limit of the task, or an interrupt, ends it in any case. */
bool pv_run_go_on(struct pv_run *run, const struct pv_slice *slice);
/* Asks a paused run to end with what it has, because of `why`, and lets it go on; does not wait. */
void pv_run_tell(struct pv_run *run, enum pv_limit why);
/* Takes what a run that goes on has sent, without waiting; ends it if it does not heed what it was
 * told. true: it has ended. */
bool pv_run_look(struct pv_run *run);
/* After its end, once: what came of it. *result is zero-initialised by the caller. What went wrong
 * is told by the result. CPU time and peak memory are in its statistics. */
void pv_run_result(struct pv_run *run, struct pv_result *result);
const struct pv_stats *pv_run_stats(const struct pv_run *run); /* the last that it told of */
uint64_t pv_run_memory(const struct pv_run *run);              /* resident bytes; 0: not running */
double pv_run_seconds(const struct pv_run *run); /* of CPU time so far; 0: not running */
/* Ends it, if it has not ended; adds its CPU time to that of the task's limits. NULL is fine. */
void pv_run_close(struct pv_run *run);

/* Runs engine->run for the task from its beginning to its end. PV_OK always. */
enum pv_status pv_isolate(const struct pv_engine *engine, const struct pv_task *task,
                          struct pv_result *result);

#endif
