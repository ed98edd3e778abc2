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
 * state the child was. */
#ifndef PV_ISOLATE_H
#define PV_ISOLATE_H

#include "engine.h"

/* Runs engine->run for the task. *result is zero-initialised by the caller. PV_OK always: what goes
 * wrong is told by the result. CPU time and peak memory of the child are in the result's statistics
 * and are added to those of task->limits. */
enum pv_status pv_isolate(const struct pv_engine *engine, const struct pv_task *task,
                          struct pv_result *result);

#endif
