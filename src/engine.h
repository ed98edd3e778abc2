/* engine.h -- what an engine is: a name and one function. Engines know nothing of each other; plan/
 * names them and chooses. */
#ifndef PV_ENGINE_H
#define PV_ENGINE_H

#include "base/limits.h"
#include "base/options.h"
#include "ir/ir.h"
#include "result/result.h"

/* Progress for a terminal; called a few times a second. */
typedef void (*pv_progress)(void *user, const struct pv_stats *stats);

/* An engine's interim result: what *result would be if the engine ended now. It is copied. */
typedef void (*pv_take_checkpoint)(void *user, const struct pv_result *result);

/* What the threads of a run do in turn, as an engine found it: edges that each thread passes, in
 * its own order, and in which order those that others can tell are done. */
struct pv_turn {
  uint32_t thread, function, edge;
  uint32_t alternative; /* the one wanted, if there are several */
};
struct pv_schedule {
  const struct pv_turn *at;
  uint32_t n;
};

struct pv_task {
  const struct pv_program *program;
  const struct pv_options *options;
  struct pv_limits *limits; /* started by the caller */
  pv_properties properties;
  const struct pv_condition *given; /* what is already verified; NULL = nothing */
  /* Runs the program with these inputs in the machine; NULL: there is none. For engines that find
   * errors without running the program. As pv_replay_inputs (explore/replay.h). */
  enum pv_status (*replay)(const struct pv_task *task, const struct pv_input *inputs, uint32_t n,
                           const struct pv_schedule *schedule, const struct pv_error_key *wanted,
                           struct pv_violation *out);
  /* Runs a path of the machine again: as pv_replay (explore/replay.h). */
  enum pv_status (*replay_choices)(const struct pv_task *task, const struct pv_choice *choices,
                                   uint32_t n, const struct pv_error_key *wanted,
                                   struct pv_violation *out);
  /* Option minimise, for engines whose errors have paths of the machine: as pv_minimise
   * (explore/minimise.h). */
  void (*minimise)(const struct pv_task *task, struct pv_result *result);
  pv_progress progress;
  void *progress_user;
  pv_take_checkpoint checkpoint; /* NULL: nobody wants one */
  void *checkpoint_user;
};

/* To be called now and then by an engine that may be lost before it ends (struct pv_engine), with a
 * result that keeps all rules: provisos for whatever is not yet covered, violations replayed. */
static inline void pv_checkpoint(const struct pv_task *task, const struct pv_result *result) {
  if (task->checkpoint) task->checkpoint(task->checkpoint_user, result);
}

struct pv_engine {
  const char *name, *help;
  /* Fills *result (zero-initialised by the caller). Always ends with a verdict and a condition: a
   * limit, an unsupported construct or a failure inside become provisos. Returns a status other
   * than PV_OK only for broken invariants of ours. Every violation reported was replayed. */
  enum pv_status (*run)(const struct pv_task *task, struct pv_result *result);
  /* It uses libraries that may crash, eat memory or not heed limits: it runs in a process of its
   * own (plan/isolate.h). */
  bool isolated;
  bool one_error;          /* it ends with the first error, even where all are asked for */
  pv_properties unchecked; /* what it never looks for: `auto` asks others */
  /* Optional: looks at the files that the task's options name for this engine, before it runs.
   * PV_E_INPUT: *message says what is wrong with one of them. */
  enum pv_status (*check)(const struct pv_task *task, struct pv_str *message);
};

extern const struct pv_engine *const pv_engines[]; /* plan/registry.c; NULL-terminated */

#endif
